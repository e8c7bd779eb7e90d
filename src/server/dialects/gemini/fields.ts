import { fieldsOf, isFields, listOf, type Fields } from '#core/json/fields.ts';
import { listedFields } from '../listed-parts.ts';

const SNAKE = /_([a-z])/g;

/**
 * Renames an object's fields to camel case: Google accepts `inline_data` and `inlineData` (protobuf JSON mapping). Only
 * this object's own fields; names inside arguments or schemas stay.
 */
export const camelFields = (value: unknown): Fields => {
  const fields = fieldsOf(value);
  for (const key in fields) if (key.includes('_')) return camelCopy(fields);
  return fields;
};

const camelCopy = (fields: Fields): Fields => {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields))
    copy[key.replace(SNAKE, (_, letter: string) => letter.toUpperCase())] ??= value;
  return copy;
};

/** The objects of a list, with field names in camel case. A single object counts as a list of one. */
export const camelList = (value: unknown): readonly Fields[] =>
  (isFields(value) ? [value] : listOf(value)).filter(isFields).map(camelFields);

/** The same for a caller's list. Throws `invalid_request`, naming the place, for anything else. */
export const callersList = (value: unknown, param: string): readonly Fields[] =>
  (isFields(value) ? [value] : listedFields(value, param, byIndex)).map(camelFields);

/** `contents[2]` */
export const byIndex = (list: string, at: number): string => `${list}[${at}]`;
