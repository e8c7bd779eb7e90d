import { parsed } from '#contract/json-text.ts';
import type { User } from './user.ts';

/** A user's settings for their own calls. */
export interface OwnChoices {
  /** Whether log rows contain the address of the call. */
  readonly recordsIp: boolean;
  /** Whether models without a price may be called, at the ratio of self-use mode. */
  readonly acceptsUnpriced: boolean;
}

/** The defaults until the user chooses. */
export const ownChoicesAtFirst: OwnChoices = { recordsIp: true, acceptsUnpriced: false };

const known = new WeakMap<Pick<User, 'setting'>, OwnChoices>();

/** Read from the user's stored settings, once for each user as it was read. */
export const ownChoices = (user: Pick<User, 'setting'>): OwnChoices => {
  if (user.setting === '') return ownChoicesAtFirst;
  let choices = known.get(user);
  if (choices === undefined) known.set(user, (choices = choicesIn(user.setting)));
  return choices;
};

const choicesIn = (setting: string): OwnChoices => {
  const read = (parsed(setting) ?? {}) as Readonly<Record<string, unknown>>;
  const { record_ip_log: recordsIp, accept_unset_model_ratio_model: acceptsUnpriced } = read;
  return {
    recordsIp: typeof recordsIp === 'boolean' ? recordsIp : ownChoicesAtFirst.recordsIp,
    acceptsUnpriced:
      typeof acceptsUnpriced === 'boolean' ? acceptsUnpriced : ownChoicesAtFirst.acceptsUnpriced,
  };
};
