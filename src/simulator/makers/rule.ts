import { asJson, asList, type Json } from '../wire.ts';

/** A rule whose violation a maker answers with 400. */
export interface Rule {
  /** The maker's documentation, or a report of the refusal. */
  readonly source: string;
  /** The error message for a body that breaks the rule; undefined for any other. */
  readonly broken: (body: Json) => string | undefined;
}

/** The first error with which a maker refuses a body. */
export const firstBroken = (rules: readonly Rule[], body: Json): string | undefined => {
  for (const { broken } of rules) {
    const words = broken(body);
    if (words !== undefined) return words;
  }
  return undefined;
};

/** The first error among the items of a list. */
export const firstOf = <Item>(
  items: readonly Item[],
  wrong: (item: Item, at: number) => string | undefined,
): string | undefined => {
  for (const [at, item] of items.entries()) {
    const words = wrong(item, at);
    if (words !== undefined) return words;
  }
  return undefined;
};

/** What a table has for a word of a body; nothing for what every object has, such as `__proto__`. */
export const ownOf = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The objects of a list. */
export const objectsIn = (value: unknown): Json[] => asList(value).map(asJson);

/** The first unknown field. */
export const unknownIn = (body: Json, known: ReadonlySet<string>): string | undefined =>
  Object.keys(body).find((name) => !known.has(name));

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export const isText = (value: unknown): value is string => typeof value === 'string';

/** Names of tools and schemas at OpenAI and Anthropic. */
export const isPlainName = (name: unknown, most: number): boolean =>
  isText(name) && name.length <= most && /^[a-zA-Z0-9_-]+$/.test(name);

/** A value as text, for an error message. */
export const shown = (value: unknown): string =>
  isText(value) ? value : (JSON.stringify(value) ?? 'nothing');

export const isOneOf = (value: unknown, words: readonly string[]): boolean =>
  isText(value) && words.includes(value);
