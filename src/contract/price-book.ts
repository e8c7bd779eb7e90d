/** Options that are prices, each a JSON object by model, group or tool: saving one makes a new version of the price book. */
export const priceOptions = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'PriceDimensions',
  'tool_price_setting.prices',
  'GroupRatio',
  'GroupGroupRatio',
] as const;

export type PriceOption = (typeof priceOptions)[number];

/** Those whose names are models. */
export const modelPriceOptions = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'PriceDimensions',
] as const satisfies readonly PriceOption[];
