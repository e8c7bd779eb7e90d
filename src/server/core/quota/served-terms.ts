import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { Price } from './price.ts';
import { type ServiceTerms, STANDARD } from './service-terms.ts';
import { ownOf } from '../json/fields.ts';

/*
 * Decides which words of a price table may apply to a call, from the terms that were sent and those the upstream
 * reports it served.
 */

/** The terms that were sent to the upstream, and those it reports it served. */
export interface Service {
  readonly sent?: ServiceTerms | undefined;
  readonly served?: ServiceTerms | undefined;
}

export const termNames = ['tier', 'speed', 'place'] as const;

/** In a price table: any word without an entry. */
const OTHER = 'other';

/** Capacity bought in advance, and what a maker sells below its standard: without a price of their own they cost as standard. */
const AS_STANDARD: ReadonlySet<string> = new Set([
  'scale',
  'provisioned_throughput',
  'reserved',
  'window_2h',
  'window_8h',
]);

type WordPrices = Readonly<Record<string, unknown>> | undefined;

/**
 * The words a term may be priced as: itself if it has a price, or if there is no table. The price of an unlisted word
 * is unknown, so it counts as `other`, and without an `other` as the dearest. What is in
 * `AS_STANDARD` is known.
 */
export const pricedWords = (table: WordPrices, word: string): readonly string[] => {
  if (table === undefined || word === STANDARD || ownOf(table, word) !== undefined) return [word];
  if (AS_STANDARD.has(word)) return [STANDARD];
  return ownOf(table, OTHER) === undefined ? [STANDARD, ...Object.keys(table)] : [OTHER];
};

/**
 * What the upstream may have served: what it reports, else what was sent. It may also have ignored a term that it did
 * not confirm and served the standard. The dearer of the two is charged; otherwise a caller could get a cheaper tier by
 * requesting it from an upstream that does not know it.
 */
export const candidates = (
  dimensions: PriceDimensions,
  { sent, served }: Service,
  name: keyof ServiceTerms,
): readonly string[] => {
  const table = dimensions[`${name}s`];
  const servedTerm = served?.[name];
  if (servedTerm !== undefined) return pricedWords(table, servedTerm);
  const asked = sent?.[name] ?? STANDARD;
  return asked === STANDARD ? [STANDARD] : [...pricedWords(table, asked), STANDARD];
};

/**
 * The terms whose word is missing from a table that has other entries: they are charged as `other` or as the dearest.
 */
export const unpricedTerms = (
  { factors: { dimensions = {} } }: Price,
  { sent, served }: Service,
): readonly (keyof ServiceTerms)[] =>
  termNames.filter((name) => {
    const word = served?.[name] ?? sent?.[name] ?? STANDARD;
    return !pricedWords(dimensions[`${name}s`], word).includes(word);
  });

/** Whether only one price can apply to such calls, apart from their context step. */
export const isDecided = ({ factors: { dimensions = {} } }: Price, service: Service): boolean =>
  termNames.every((name) => candidates(dimensions, service, name).length === 1);
