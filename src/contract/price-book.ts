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

/** Kept as the reasons of changes for which nobody gave one. Whoever shows a reason says these in the reader's language. */
export const SAVED_SETTINGS = 'settings';
export const SET_IN_LIST = 'prices';
export const GROUP_RENAMED = 'group';

/** The most rows of a difference that are answered. */
export const PRICE_DIFF_MAX = 5000;

/** Whether prices need a second person: an admin who had no part in a change has to approve it. */
export const SECOND_PERSON = 'price_setting.second_person';

/**
 * Settings beside the prices that decide what calls, or the quota for them, cost. While prices need a second person, these
 * need one too, and so does switching that off.
 */
export const priceSettings = [
  SECOND_PERSON,
  'QuotaPerUnit',
  'USDExchangeRate',
  'Price',
  'TopupGroupRatio',
  'SelfUseModeEnabled',
  'GroupServiceTerms',
  'group_setting.former_names',
  'global.unpriced_work_enabled',
] as const;

export type PriceSetting = (typeof priceSettings)[number];
