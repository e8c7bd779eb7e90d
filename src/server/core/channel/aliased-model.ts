import { type ModelMapping, mapModel, prepareMapping } from '#contract/channel/model-mapping.ts';
import type { Routing } from './routing.ts';

type Names = Routing['options']['global.model_aliases'];

const books = new WeakMap<Names, ModelMapping>();

const bookOf = (names: Names): ModelMapping => {
  let book = books.get(names);
  if (book === undefined) books.set(names, (book = new Map(Object.entries(names))));
  return book;
};

/** Prepares the site's aliases in short steps. */
export function* prepareAliases({ options }: Pick<Routing, 'options'>): Generator<undefined, void> {
  const book = bookOf(options['global.model_aliases']);
  yield;
  yield* prepareMapping(book);
}

/**
 * The model that a caller's name stands for on this site; groups, limits, prices and channels are looked up by it. An
 * exact alias always applies; a pattern never applies to a name that a channel lists.
 */
export const aliasedModel = (
  { options, byModel }: Pick<Routing, 'options' | 'byModel'>,
  asked: string,
): string => {
  const book = bookOf(options['global.model_aliases']);
  if (book.size === 0) return asked;
  const mapped = mapModel(book, asked, (model) => byModel.has(model));
  return 'model' in mapped ? mapped.model : asked;
};

/** The exact aliases, for lists of models. */
export const wholeAliases = ({ options }: Pick<Routing, 'options'>): readonly string[] =>
  Object.keys(options['global.model_aliases']).filter((name) => !name.includes('*'));
