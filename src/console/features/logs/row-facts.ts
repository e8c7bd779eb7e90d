import { type JsonFields, numberOf, objectOf, readFields, textOf } from './json-fields.ts';

/** The price as one line of the list. */
interface Ratios {
  readonly model: number | undefined;
  readonly completion: number | undefined;
  readonly group: number | undefined;
  /** The special ratio of the user's group for the paying group, if there is one. */
  readonly userGroup: number | undefined;
  /** US dollars per call; undefined for a price by tokens. */
  readonly perCall: number | undefined;
}

/**
 * What the list shows of the `other` of a log row. Any field may be missing, because rows of other versions and systems are
 * shown too.
 */
export interface RowFacts {
  readonly firstTokenMs: number | undefined;
  readonly upstreamModel: string;
  /** The name the caller used, if it was an alias; else empty. */
  readonly askedModel: string;
  readonly cachedTokens: number;
  readonly ratios: Ratios;
  readonly error: { readonly type: string; readonly code: string; readonly status: number } | undefined;
  /** The call cost more than was charged; for admins. */
  readonly isBelowCost: boolean;
  /** For admins: the channels tried, the one that answered last. */
  readonly chain: readonly string[];
}

/** Similar gateways store −1 for "none". */
const ratio = (fields: JsonFields, name: string): number | undefined => {
  const value = numberOf(fields, name);
  return value === undefined || value < 0 ? undefined : value;
};

export const readRowFacts = (other: string): RowFacts => rowFactsOf(readFields(other));

/** The same for a row that is already parsed. */
export const rowFactsOf = (fields: JsonFields): RowFacts => {
  const firstTokenMs = numberOf(fields, 'frt');
  const forAdmins = objectOf(fields, 'admin_info') ?? {};
  const chain = forAdmins['use_channel'];
  return {
    firstTokenMs: firstTokenMs === undefined || firstTokenMs < 0 ? undefined : firstTokenMs,
    askedModel: textOf(fields, 'asked_model'),
    upstreamModel: fields['is_model_mapped'] === true ? textOf(fields, 'upstream_model_name') : '',
    cachedTokens: numberOf(fields, 'cache_tokens') ?? 0,
    ratios: {
      model: ratio(fields, 'model_ratio'),
      completion: ratio(fields, 'completion_ratio'),
      group: ratio(fields, 'group_ratio'),
      userGroup: ratio(fields, 'user_group_ratio'),
      perCall: ratio(fields, 'model_price'),
    },
    error: readError(fields),
    isBelowCost: forAdmins['below_cost'] === true,
    chain: Array.isArray(chain) ? chain.map(String) : [],
  };
};

const readError = (fields: JsonFields): RowFacts['error'] => {
  const code = textOf(fields, 'error_code');
  const type = textOf(fields, 'error_type');
  return code === '' && type === ''
    ? undefined
    : { code, type, status: numberOf(fields, 'status_code') ?? 0 };
};
