import { type ModelMapping, mapModel } from '#contract/model-mapping.ts';
import type { Routing } from './routing.ts';

type Names = Routing['options']['global.model_aliases'];

const books = new WeakMap<Names, ModelMapping>();

const bookOf = (names: Names): ModelMapping => {
  let book = books.get(names);
  if (book === undefined) books.set(names, (book = new Map(Object.entries(names))));
  return book;
};

/**
 * The model that a caller's name stands for on this site: its groups, limits, price and channels count. A name that is aliased as
 * a whole always stands for another; a pattern takes no name that a channel lists.
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

/** The whole names that stand for a model, for lists. */
export const wholeAliases = ({ options }: Pick<Routing, 'options'>): readonly string[] =>
  Object.keys(options['global.model_aliases']).filter((name) => !name.includes('*'));
