import { parsed } from '#contract/json-text.ts';
import type { TextKey } from '../../../lib/text/areas.ts';

/** One model in the table: the typed texts, empty if unset. */
export interface RatioRow {
  readonly name: string;
  /** USD for one call; with it the ratios do not count. */
  readonly price: string;
  readonly ratio: string;
  readonly completionRatio: string;
}

export type RatioColumn = 'price' | 'ratio' | 'completionRatio';

/** The three options behind the table, as text. */
export interface RatioTexts {
  readonly ModelPrice: string;
  readonly ModelRatio: string;
  readonly CompletionRatio: string;
}

/** The error message. */
export type Problem = TextKey<'settings'>;

const NUMBER = /^\d+(\.\d+)?$/;

/** A cell is empty or a number. */
export const isCell = (text: string): boolean => text === '' || NUMBER.test(text.trim());

/** Whether a text may be the beginning of a number. */
export const isTyping = (text: string): boolean => /^\d*(?:\.\d*)?$/.test(text.trim());

const tableOf = (text: string): Readonly<Record<string, unknown>> => {
  const value = parsed(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
};

const cellOf = (value: unknown): string => (typeof value === 'number' ? String(value) : '');

/** Every model that any of the options names, by name. */
export const rowsOf = (texts: RatioTexts): RatioRow[] => {
  const price = tableOf(texts.ModelPrice);
  const ratio = tableOf(texts.ModelRatio);
  const completion = tableOf(texts.CompletionRatio);
  const names = new Set([...Object.keys(price), ...Object.keys(ratio), ...Object.keys(completion)]);
  return [...names].toSorted().map((name) => ({
    name,
    price: cellOf(price[name]),
    ratio: cellOf(ratio[name]),
    completionRatio: cellOf(completion[name]),
  }));
};

/** The options of the rows. A model with a price per call keeps no ratios: it has one or the other. */
export const textsOf = (rows: readonly RatioRow[]): RatioTexts => {
  const column = (name: RatioColumn): string => {
    const entries = rows
      .filter((row) => row[name] !== '' && (name === 'price' || row.price === ''))
      .map((row): [string, number] => [row.name, Number(row[name])]);
    return JSON.stringify(Object.fromEntries(entries), null, 2);
  };
  return {
    ModelPrice: column('price'),
    ModelRatio: column('ratio'),
    CompletionRatio: column('completionRatio'),
  };
};

/** A new row, or the errors of its name or values. */
export const addRow = (rows: readonly RatioRow[], row: RatioRow): readonly RatioRow[] | Problem => {
  const name = row.name.trim();
  if (name === '') return 'visual.nameNeeded';
  if (rows.some((known) => known.name === name)) return 'visual.nameExists';
  if (![row.price, row.ratio, row.completionRatio].every(isCell)) return 'wrong.number';
  return [{ ...row, name }, ...rows];
};

export type BatchMode = 'ratio' | 'completionRatio' | 'both' | 'price';

/** The dialog's input: one value, or the two ratios. */
export interface BatchValues {
  readonly fill: string;
  readonly ratio: string;
  readonly completionRatio: string;
}

/** The error of the dialog's values; undefined if they are valid. */
export const batchProblem = (mode: BatchMode, values: BatchValues, count: number): Problem | undefined => {
  if (count === 0) return 'visual.chooseFirst';
  const texts = mode === 'both' ? [values.ratio, values.completionRatio] : [values.fill];
  if (texts.some((text) => text.trim() === ''))
    return mode === 'both' ? 'visual.bothNeeded' : 'visual.fillNeeded';
  return texts.every((text) => NUMBER.test(text.trim())) ? undefined : 'visual.numberNeeded';
};

/** The row after a batch set: a price clears the ratios, a ratio clears the price. */
export const filled = (row: RatioRow, mode: BatchMode, values: BatchValues): RatioRow => {
  const fill = values.fill.trim();
  switch (mode) {
    case 'price':
      return { ...row, price: fill, ratio: '', completionRatio: '' };
    case 'ratio':
      return { ...row, price: '', ratio: fill };
    case 'completionRatio':
      return { ...row, price: '', completionRatio: fill };
    case 'both':
      return {
        ...row,
        price: '',
        ratio: values.ratio.trim(),
        completionRatio: values.completionRatio.trim(),
      };
  }
};

/** A row counts as set with a price or a ratio. */
export const isSet = (row: RatioRow): boolean => row.price !== '' || row.ratio !== '';
