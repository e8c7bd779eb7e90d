import type { PriceDimensions } from '#contract/options/price-dimensions.ts';

/** The price of a model if the operator set none. A model ratio of 1 is 2 USD for a million tokens. */
export interface CataloguePrice {
  /** Maximum tokens of prompt and answer together; absent if unknown. */
  readonly contextWindow?: number;
  readonly modelRatio: number;
  /** Price of an output token relative to an input token. */
  readonly completionRatio: number;
  /** Price of a cached input token relative to an input token; absent if the same. */
  readonly cacheRatio?: number;
  /** The extra price of a cached audio token beyond that, relative to an input token; absent if none. */
  readonly audioCacheSurcharge?: number;
  /** The same of a cached token of a picture. */
  readonly imageCacheSurcharge?: number;
  /** Price of writing a token to the cache for five minutes, relative to an input token; absent if unknown. */
  readonly createCacheRatio?: number;
  readonly imageRatio?: number;
  readonly audioRatio?: number;
  /** Price of an output audio token relative to an input audio token. */
  readonly audioCompletionRatio?: number;
  /** Price of an output picture token relative to an input token. */
  readonly imageCompletionRatio?: number;
  /** What the provider's price depends on besides tokens. */
  readonly dimensions?: PriceDimensions;
}

/** The parts of a price as multiples of its input, without the price itself. */
export type Proportions = Partial<Omit<CataloguePrice, 'modelRatio' | 'contextWindow'>>;

/** The bundled list of model prices. */
export interface PriceCatalogue {
  find(model: string): CataloguePrice | undefined;
  /** For an unlisted model: the proportions of the model that its maker lists under another name. */
  sameModel?(model: string): Proportions | undefined;
  /** For an unlisted model: what its maker charges for tiers, speeds and places, where the name tells. */
  termsByName?(model: string): PriceDimensions | undefined;
}

/** The bundled list over time: makers announce beforehand from which day on a price changes. */
export interface DatedCatalogue {
  /** The list as it is at that time; the same object until a price changes. */
  at(atMs: number): PriceCatalogue;
  /** When a price changes next after that time; undefined if no change is announced. */
  changesAfter(atMs: number): number | undefined;
}
