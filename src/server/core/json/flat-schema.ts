import { fieldsOf, isFields, listOf, type Fields } from './fields.ts';

/** Keywords that makers refuse at the top of a tool's schema, but allow below. */
export const CHOICES = ['allOf', 'anyOf', 'oneOf'] as const;

export interface FlatSchema {
  readonly schema: Fields;
  /** What the flat schema cannot express, as text; undefined if nothing is lost. */
  readonly inWords: string | undefined;
}

/**
 * Removes the `refused` keywords at the top of a tool's input schema, which are described in text. The fields of all choices
 * become its own, and those that all choices require stay required.
 */
export const flatSchema = (parameters: unknown, refused: readonly string[] = CHOICES): FlatSchema => {
  const given: Fields = { type: 'object', ...fieldsOf(parameters) };
  const words = refused.filter((word) => given[word] !== undefined);
  if (words.length === 0) return { schema: given, inWords: undefined };
  const schema: Fields = Object.fromEntries(Object.entries(given).filter(([name]) => !words.includes(name)));
  const found = CHOICES.filter((word) => words.includes(word));
  const parts = found.flatMap((word) => listOf(given[word])).filter(isFields);
  const properties: Record<string, unknown> = {};
  for (const { properties: own } of [...parts, schema]) Object.assign(properties, fieldsOf(own));
  const required = [
    ...listOf(schema['required']),
    ...found.flatMap((word) => requiredIn(word, listOf(given[word]).map(fieldsOf))),
  ];
  return {
    schema: {
      ...schema,
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required: [...new Set(required)] }),
    },
    inWords: `The input must also fit this JSON schema: ${JSON.stringify(Object.fromEntries(words.map((word) => [word, given[word]])))}`,
  };
};

/** The fields that all choices require. */
const requiredIn = (word: (typeof CHOICES)[number], parts: readonly Fields[]): unknown[] => {
  const [first, ...rest] = parts.map((part) => listOf(part['required']));
  if (word === 'allOf') return parts.flatMap((part) => listOf(part['required']));
  return (first ?? []).filter((name) => rest.every((names) => names.includes(name)));
};
