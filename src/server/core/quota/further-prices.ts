import { type Fields, fieldsOf, listOf } from '../json/fields.ts';

/** Conditions that a call meets without asking for them. */
const UNASKED: ReadonlySet<unknown> = new Set(['step', 'excess', 'hours']);
/** The usual price of an hour in the cache relative to some minutes. */
const USUAL = 'written_hour';

/**
 * Whether a row in the price list of a gateway of this family has prices beside its plain ones: of long prompts, at some hours, of
 * sound or pictures.
 */
export const hasFurtherPrices = ({ variants, prices }: Fields): boolean =>
  listOf(variants).some((one) => UNASKED.has(fieldsOf(one)['kind'])) ||
  Object.values(fieldsOf(prices)).some((group) =>
    Object.keys(fieldsOf(fieldsOf(group)['others'])).some((kind) => kind !== USUAL),
  );
