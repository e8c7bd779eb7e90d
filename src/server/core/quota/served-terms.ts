import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { Price } from './price.ts';
import { type ServiceTerms, STANDARD } from './service-terms.ts';

/*
 * Which words of a table of prices a call may cost as, by what was sent and what the upstream said it served.
 */

/** What was sent to the upstream, and what it said it served. */
export interface Service {
  readonly sent?: ServiceTerms | undefined;
  readonly served?: ServiceTerms | undefined;
}

export const termNames = ['tier', 'speed', 'place'] as const;

/** An entry of a table by the name that somebody else chose. */
export const own = <Value>(
  table: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined => (table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined);

/** In a table of prices: any word that is not in it. */
const OTHER = 'other';

/** Capacity that was bought beforehand: its tokens are paid as those of the standard. */
const BOUGHT: ReadonlySet<string> = new Set(['scale', 'provisioned_throughput', 'reserved']);

type WordPrices = Readonly<Record<string, unknown>> | undefined;

/**
 * What a word may cost as: itself where it has a price, or where none has one. Nobody knows what another one is paid for:
 * it costs as `other`, and where that has no price either as the dearest there is.
 */
export const pricedWords = (table: WordPrices, word: string): readonly string[] => {
  if (table === undefined || word === STANDARD || own(table, word) !== undefined) return [word];
  if (own(table, OTHER) !== undefined) return [OTHER];
  return BOUGHT.has(word) ? [STANDARD] : [STANDARD, ...Object.keys(table)];
};

/**
 * What the upstream may have served: what it said, else what was sent. A term it did not confirm may also have been
 * ignored, and then the standard one was served: the dearer of the two is charged, or a cheaper tier could be had by
 * asking for it where nobody knows it.
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

/** Of what counts, the terms whose word is in no table that has others: they are charged as the dearest, or as `other`. */
export const unpricedTerms = (
  { factors: { dimensions = {} } }: Price,
  { sent, served }: Service,
): readonly (keyof ServiceTerms)[] =>
  termNames.filter((name) => {
    const word = served?.[name] ?? sent?.[name] ?? STANDARD;
    return !pricedWords(dimensions[`${name}s`], word).includes(word);
  });

/** Whether one price is the only one that such calls can be at, whatever they use: their context step decides the rest. */
export const isDecided = ({ factors: { dimensions = {} } }: Price, service: Service): boolean =>
  termNames.every((name) => candidates(dimensions, service, name).length === 1);
