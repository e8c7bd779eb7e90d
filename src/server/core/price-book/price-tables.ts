import { optionRow, optionText } from '#contract/options.ts';
import { type PriceOption, priceOptions } from '#contract/price-book.ts';
import { parsed } from '#contract/json-text.ts';
import { fieldsOf } from '../json/fields.ts';

/** A name's value in one option: a number or an object; null if it has none. */
export type PriceValue = number | Readonly<Record<string, unknown>> | null;

/** A value to set; null removes it. */
export interface PriceEntry {
  readonly option: PriceOption;
  /** The name of a model, a group or a tool. */
  readonly key: string;
  readonly value: PriceValue;
}

/** A name's value before and after a change. */
export interface PriceChange {
  readonly option: PriceOption;
  readonly key: string;
  readonly before: PriceValue;
  readonly after: PriceValue;
}

/** The texts of the price options, by name; a missing one has its initial value. */
export type PriceTexts = Readonly<Partial<Record<PriceOption, string>>>;
type Table = Readonly<Record<string, PriceValue>>;
/** All prices by option and name. */
export type PriceTables = Readonly<Record<PriceOption, Table>>;

/** The prices in the options' texts. A text that cannot be parsed counts as its initial value, as it does for calls. */
export const tablesOf = (texts: PriceTexts): PriceTables =>
  Object.fromEntries(priceOptions.map((option) => [option, tableOf(option, texts[option])])) as Record<
    PriceOption,
    Table
  >;

const tableOf = (option: PriceOption, stored: string | undefined): Table => {
  const { schema, initial } = optionRow(option);
  const text = stored ?? optionText(initial);
  const read = schema.safeParse(text);
  // For dimensions only the written fields count, not those their schema adds; all other values are read as written.
  if (read.success && option !== 'PriceDimensions' && text.trim() !== '') return read.data as Table;
  return fieldsOf(parsed(read.success ? text : optionText(initial))) as Table;
};

/** JSON that is the same for equal values, regardless of the order of their fields. */
export const stableText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

const valueIn = (table: Table, key: string): PriceValue =>
  Object.hasOwn(table, key) ? (table[key] ?? null) : null;

/** Every name whose value differs, in the order of options and names. */
export const changesBetween = (before: PriceTables, after: PriceTables): PriceChange[] =>
  priceOptions.flatMap((option) => {
    const [old, next] = [before[option], after[option]];
    const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])].toSorted();
    return keys
      .map((key) => ({ option, key, before: valueIn(old, key), after: valueIn(next, key) }))
      .filter(({ before: was, after: is }) => was !== is && stableText(was) !== stableText(is));
  });

/** The tables with some entries set or removed. */
export const withEntries = (tables: PriceTables, entries: readonly PriceEntry[]): PriceTables => {
  const next = Object.fromEntries(
    priceOptions.map((option) => [option, new Map(Object.entries(tables[option]))]),
  ) as Record<PriceOption, Map<string, PriceValue>>;
  for (const { option, key, value } of entries)
    if (value === null) next[option].delete(key);
    else next[option].set(key, value);
  return Object.fromEntries(
    priceOptions.map((option) => [option, Object.fromEntries(next[option])]),
  ) as Record<PriceOption, Table>;
};

/** The texts of the options that differ. */
export const textsOfChanged = (before: PriceTables, after: PriceTables): Map<PriceOption, string> =>
  new Map(
    [...new Set(changesBetween(before, after).map(({ option }) => option))].map((option) => [
      option,
      JSON.stringify(after[option]),
    ]),
  );
