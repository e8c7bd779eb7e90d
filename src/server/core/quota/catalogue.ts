/** What a model costs where the operator has set nothing. A model ratio of 1 is 2 USD for a million tokens. */
export interface CataloguePrice {
  /** How many tokens a prompt and its answer may be together; absent means not told. */
  readonly contextWindow?: number;
  readonly modelRatio: number;
  /** Output token to input token. */
  readonly completionRatio: number;
  /** Cached input token to input token; absent means the same as input. */
  readonly cacheRatio?: number;
  /** Input token written to a cache for five minutes to input token; absent means not told. */
  readonly createCacheRatio?: number;
  readonly imageRatio?: number;
  readonly audioRatio?: number;
  /** Output audio token to input audio token. */
  readonly audioCompletionRatio?: number;
  /** Output picture token to input token. */
  readonly imageCompletionRatio?: number;
}

/** Known prices of models. Implemented from a price package; loaded once at start. */
export interface PriceCatalogue {
  find(model: string): CataloguePrice | undefined;
}
