import { fieldsOf, isFields, listOf, type Fields } from '../openai/fields.ts';

const SNAKE = /_([a-z])/g;

/**
 * An object of this format with its own field names in camel case: Google reads `inline_data` and `inlineData` alike
 * (protobuf JSON mapping). Only this object's names; what a caller put into arguments or schemas is not touched.
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

/** The objects of a list, their names in camel case. One object alone is a list of one. */
export const camelList = (value: unknown): readonly Fields[] =>
  (isFields(value) ? [value] : listOf(value)).filter(isFields).map(camelFields);
