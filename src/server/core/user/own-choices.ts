import { parsed } from '#contract/text.ts';
import type { User } from './user.ts';

/** What somebody has settled for their own calls. */
export interface OwnChoices {
  /** The address a call came from is in its log row. */
  readonly recordsIp: boolean;
  /** A model without a price may be called, at the ratio that self-use mode gives it. */
  readonly acceptsUnpriced: boolean;
}

/** While nothing was ever chosen. */
export const ownChoicesAtFirst: OwnChoices = { recordsIp: true, acceptsUnpriced: false };

/** Read from the user's stored settings at every call: two fields of a short text. */
export const ownChoices = ({ setting }: Pick<User, 'setting'>): OwnChoices => {
  if (setting === '') return ownChoicesAtFirst;
  const read = (parsed(setting) ?? {}) as Readonly<Record<string, unknown>>;
  const { record_ip_log: recordsIp, accept_unset_model_ratio_model: acceptsUnpriced } = read;
  return {
    recordsIp: typeof recordsIp === 'boolean' ? recordsIp : ownChoicesAtFirst.recordsIp,
    acceptsUnpriced:
      typeof acceptsUnpriced === 'boolean' ? acceptsUnpriced : ownChoicesAtFirst.acceptsUnpriced,
  };
};
