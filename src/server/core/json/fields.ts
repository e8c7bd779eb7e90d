import { parsed } from '#contract/json-text.ts';

/** A JSON object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** For lenient reading of upstream data: a value of the wrong shape counts as absent. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a JSON text is, or its bytes; undefined where they are anything else. */
export const parsedFields = (data: string | Buffer): Fields | undefined => {
  const value = parsed(data.toString());
  return isFields(value) ? value : undefined;
};

const NONE: Fields = {};

/** The fields of an object, none of anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : NONE);

/** The items of a list, none of anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text that is not empty; undefined for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Any value as a word to compare or to show, and as a number. Objects and lists by their JSON: one from outside may have a
 * field called `toString`, and `String` would throw.
 */
export const wordOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Any value as a number: NaN where it is none. */
export const numberOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Number(JSON.stringify(value)) : Number(value);

/** What a table has for a word from outside; nothing for what every object has, such as `constructor`. */
export const ownOf = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The fields of `value` that are not in `known` and not null; undefined if there are none. */
export const otherFields = (value: Fields, known: ReadonlySet<string>): Fields | undefined => {
  let rest: Record<string, unknown> | undefined;
  for (const key in value) {
    if (!known.has(key) && value[key] !== null && value[key] !== undefined) (rest ??= {})[key] = value[key];
  }
  return rest;
};
