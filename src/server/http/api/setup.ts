import type * as contract from '#contract/api/setup.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Setup } from '../../control/setup.ts';
import { type Site, statusOf } from '../../control/site.ts';
import type { Handlers } from '../handler.ts';

interface SetupDeps {
  readonly setup: Setup;
  readonly site: Site;
  readonly routing: () => Routing;
}

/** The first account, and what every visitor may know. */
export const setupHandlers = ({ setup, site, routing }: SetupDeps): Handlers<typeof contract> => ({
  readSetup: async () => {
    const isDone = await setup.isDone();
    return { status: isDone, root_init: isDone, database_type: site.databaseType };
  },
  finishSetup: async ({ body }) => {
    await setup.finish({
      secret: body.secret,
      username: body.username,
      password: body.password,
      repeated: body.confirmPassword,
      selfUse: body.SelfUseModeEnabled,
      demoSite: body.DemoSiteEnabled,
    });
    return null;
  },
  readStatus: async () => statusOf(site, routing().options, await setup.isDone()),
});
