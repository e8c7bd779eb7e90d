import type * as contract from '#contract/api/options.ts';
import { isOptionKey, optionRow } from '#contract/options.ts';
import type { Clock } from '#core/clock.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Mailer } from '#core/mail.ts';
import { requireFresh } from '../../control/fresh.ts';
import type { Options } from '../../control/options.ts';
import { testMail } from '../../control/test-mail.ts';
import type { Handlers } from '../handler.ts';

interface OptionDeps {
  readonly options: Options;
  readonly mail: Mailer;
  readonly routing: () => Routing;
  readonly clock: Clock;
}

/** Settings of the site. */
export const optionHandlers = ({ options, mail, routing, clock }: OptionDeps): Handlers<typeof contract> => ({
  listOptions: async () => {
    const listed = await options.list();
    return { data: listed.options, fields: { secrets_set: listed.secretsSet } };
  },
  updateOption: async ({ body }, { actor }) => {
    if (isOptionKey(body.key) && optionRow(body.key).dangerous === true) requireFresh(actor, clock.now());
    await options.set(actor.user, body.key, body.value);
    return null;
  },
  resetModelRatio: async (_, { actor }) => {
    await options.resetModelRatio(actor.user);
    return null;
  },
  sendTestMail: async ({ body }, { actor, language }) => {
    const siteName = () => routing().options.SystemName;
    await testMail({ mail, siteName }, actor.user, body.to, language);
    return null;
  },
});
