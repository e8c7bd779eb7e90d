import { type Fields, isFields, parsed } from '#contract/json-text.ts';

// What reads outside data takes all of its helpers from here.
export { type Fields, isFields };

/** Parses a JSON text or its bytes; undefined if it is not an object. */
export const parsedFields = (data: string | Buffer): Fields | undefined => {
  const value = parsed(data.toString());
  return isFields(value) ? value : undefined;
};

const NONE: Fields = {};

/** The fields of an object; none for any other value. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : NONE);

/** The items of a list; none for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A non-empty text; undefined for any other value. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Any value as a word to compare or show. Objects and lists are written as JSON, because one from outside may have a
 * field `toString`, and `String` would throw.
 */
export const wordOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Whether a field has a value: JSON null counts as missing. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The fields that have a value. */
export const onlyGiven = <Value extends object>(
  value: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined | null> } =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => isGiven(field))) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined | null>;
  };

/** Any value as a number; NaN if it is not one. */
export const numberOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Number(JSON.stringify(value)) : Number(value);

/** Looks up a word from outside in a table; undefined for names that every object has, such as `constructor`. */
export const ownOf = <Value>(
  table: Readonly<Record<string, Value>> | undefined,
  word: string,
): Value | undefined => (table !== undefined && Object.hasOwn(table, word) ? table[word] : undefined);

/** The fields of `value` that are not in `known` and not null; undefined if there are none. */
export const otherFields = (value: Fields, known: ReadonlySet<string>): Fields | undefined => {
  let rest: Record<string, unknown> | undefined;
  for (const key in value) {
    if (!known.has(key) && value[key] !== null && value[key] !== undefined) (rest ??= {})[key] = value[key];
  }
  return rest;
};
