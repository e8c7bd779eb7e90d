import type { z } from 'zod';
import type * as contract from '#contract/api/site/options.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Mailer } from '#core/mail.ts';
import type { OptionChange, Options } from '../../../control/site/options.ts';
import { testMail } from '../../../control/site/test-mail.ts';
import type { Handlers } from '../../handler.ts';

interface OptionDeps {
  readonly options: Options;
  readonly mail: Mailer;
  readonly routing: () => Routing;
}

/** Settings of the site. */
export const optionHandlers = ({ options, mail, routing }: OptionDeps): Handlers<typeof contract> => ({
  listOptions: async () => {
    const listed = await options.list();
    return { data: listed.options, fields: { secrets_set: listed.secretsSet } };
  },
  updateOption: async ({ body }, { actor }) => waitingWire(await options.set(actor, [changeOf(body)])),
  updateOptions: async ({ body }, { actor }) =>
    waitingWire(await options.set(actor, body.options.map(changeOf))),
  resetModelRatio: async (_, { actor }) => waitingWire(await options.resetModelRatio(actor)),
  sendTestMail: async ({ body }, { actor, language }) => {
    const siteName = () => routing().options.SystemName;
    await testMail({ mail, siteName }, actor.user, body.to, language);
    return null;
  },
});

const changeOf = ({
  remove_groups: mayRemove,
  ...change
}: z.infer<typeof contract.updateOption.body>): OptionChange => ({ ...change, mayRemove });

/** What did not take effect yet, because prices need a second person. */
const waitingWire = (draft: number | undefined) => (draft === undefined ? null : { draft });
