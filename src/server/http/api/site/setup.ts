import type * as contract from '#contract/api/site/setup.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Setup } from '../../../control/site/setup.ts';
import { type Site, statusOf } from '../../../control/site/site.ts';
import type { Sessions } from '../../../control/people/sign-in/sessions.ts';
import type { Handlers } from '../../handler.ts';
import { sessionUserWire } from '../people/user-wire.ts';

interface SetupDeps {
  readonly setup: Setup;
  readonly sessions: Pick<Sessions, 'start'>;
  readonly site: Site;
  readonly routing: () => Routing;
}

/** Creating the first account, and the public status. */
export const setupHandlers = ({ setup, sessions, site, routing }: SetupDeps): Handlers<typeof contract> => ({
  readSetup: async () => {
    const isDone = await setup.isDone();
    return { status: isDone, root_init: isDone, database_type: site.databaseType };
  },
  finishSetup: async ({ body }, call) => {
    const user = await setup.finish({
      secret: body.secret,
      username: body.username,
      password: body.password,
      repeated: body.confirmPassword,
      selfUse: body.SelfUseModeEnabled,
      demoSite: body.DemoSiteEnabled,
    });
    call.setSession(await sessions.start(user.id, call));
    return sessionUserWire(user);
  },
  readStatus: async () => statusOf(site, routing().options, await setup.isDone()),
});
