import { parsed } from '#contract/json-text.ts';

/** A name and its value, as typed. */
export type Pair = readonly [name: string, value: string];

/** Whether values are texts, of which none is empty, or any JSON. */
export type PairValues = 'texts' | 'json';

/** JSON as it is typed into a field: a text without quotes, unless it would be read as another value. */
export const shownValue = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'string' && parsed(value) === undefined ? value : JSON.stringify(value);
};

/** JSON where it is some, null included; else the text itself. */
export const valueOf = (text: string): unknown => {
  const value = parsed(text);
  return value === undefined ? text : value;
};

const isPairs = (value: unknown): value is readonly Pair[] =>
  Array.isArray(value) &&
  value.every(
    (one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string'),
  );

/** The rows of a JSON object, or of what `pairsText` wrote; undefined for anything else. */
export const pairsIn = (text: string, values: PairValues): readonly Pair[] | undefined => {
  if (text.trim() === '') return [];
  const value = parsed(text);
  if (isPairs(value)) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (values === 'json') return entries.map(([name, one]) => [name, shownValue(one)]);
  return entries.every(([, one]) => typeof one === 'string' || typeof one === 'number')
    ? entries.map(([name, one]) => [name, String(one)])
    : undefined;
};

/** What keeps a row from being a member of the object. */
export const pairProblem = (
  [name, value]: Pair,
  pairs: readonly Pair[],
  values: PairValues,
): 'missing' | 'twice' | undefined => {
  if (name.trim() === '' || (values === 'texts' && value.trim() === '')) return 'missing';
  return pairs.filter(([other]) => other.trim() === name.trim()).length > 1 ? 'twice' : undefined;
};

/**
 * The object as JSON, in the order of the rows. Rows that cannot be one yet, as with a name missing or used twice, are kept
 * as a list, which no form accepts: nothing is lost, and nothing half typed is saved.
 */
export const pairsText = (pairs: readonly Pair[], values: PairValues): string => {
  if (pairs.length === 0) return '';
  if (pairs.some((pair) => pairProblem(pair, pairs, values) !== undefined)) return JSON.stringify(pairs);
  const members = pairs.map(([name, value]) => {
    const kept = values === 'texts' ? value.trim() : valueOf(value);
    return `  ${JSON.stringify(name.trim())}: ${JSON.stringify(kept)}`;
  });
  return `{\n${members.join(',\n')}\n}`;
};
