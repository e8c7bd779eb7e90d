import type * as contract from '#contract/api/options.ts';
import type { Options } from '../../control/options.ts';
import type { Handlers } from '../handler.ts';

/** Settings of the site. */
export const optionHandlers = ({ options }: { readonly options: Options }): Handlers<typeof contract> => ({
  listOptions: async () => {
    const listed = await options.list();
    return { data: listed.options, fields: { secrets_set: listed.secretsSet } };
  },
  updateOption: async ({ body }, { actor }) => {
    await options.set(actor.user, body.key, body.value);
    return null;
  },
  resetModelRatio: async (_, { actor }) => {
    await options.resetModelRatio(actor.user);
    return null;
  },
});
