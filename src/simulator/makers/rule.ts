import { asJson, asList, type Json } from '../wire.ts';

/** Something a maker of models refuses with 400. */
export interface Rule {
  /** Where the maker says so, or where its refusal was met. */
  readonly source: string;
  /** What it says of a body that breaks the rule; undefined of any other. */
  readonly broken: (body: Json) => string | undefined;
}

/** The first thing that a maker refuses a body for. */
export const firstBroken = (rules: readonly Rule[], body: Json): string | undefined => {
  for (const { broken } of rules) {
    const words = broken(body);
    if (words !== undefined) return words;
  }
  return undefined;
};

/** The first of a list that something is wrong with. */
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

/** The objects of a list. */
export const objectsIn = (value: unknown): Json[] => asList(value).map(asJson);

/** A field that the maker does not know. */
export const unknownIn = (body: Json, known: ReadonlySet<string>): string | undefined =>
  Object.keys(body).find((name) => !known.has(name));

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export const isText = (value: unknown): value is string => typeof value === 'string';

/** Names of tools and schemas at OpenAI and Anthropic. */
export const isPlainName = (name: unknown, most: number): boolean =>
  isText(name) && name.length <= most && /^[a-zA-Z0-9_-]+$/.test(name);

/** A value that should have been a text, for a message. */
export const said = (value: unknown): string =>
  isText(value) ? value : (JSON.stringify(value) ?? 'nothing');

export const isOneOf = (value: unknown, words: readonly string[]): boolean =>
  isText(value) && words.includes(value);
