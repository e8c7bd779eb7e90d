import type { listModelPrices, setModelPrices } from '#contract/api/wallet/model-prices.ts';
import type { Data, Sent } from '#contract/endpoint.ts';
import { dollarsOf, multipleOf, ratioOf, tidy } from '#contract/model-dollars.ts';

/** First part of the query keys of the list of prices. */
export const PRICES = 'model-prices';

/** An offered model with what it costs. */
export type PricedModel = Data<typeof listModelPrices>['items'][number];

/** The settings of a model; null if the catalogue applies. */
export type SetPrice = PricedModel['set'];

export type PriceChange = NonNullable<Sent<typeof setModelPrices>['body']>['models'][number];

/** Which of the prices of a model are multiplied. */
export const multipliedParts = ['all', 'input', 'output', 'cache'] as const;
export type MultipliedPart = (typeof multipliedParts)[number];

export interface PriceTexts {
  readonly input: string;
  readonly output: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  readonly call: string;
}

/** The form's values of a price; an empty text follows the catalogue. */
export interface PriceDraft {
  readonly mode: 'tokens' | 'call';
  readonly unit: 'usd' | 'ratio';
  readonly texts: PriceTexts;
}

const textOf = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(tidy(value));

/** The ratios of empty fields. */
type Usual = PricedModel['usual'];

/** The ratios of these settings. */
const ratiosOf = (set: SetPrice, usual: Usual, model: number) => ({
  model,
  completion: set.completion_ratio ?? usual.completion,
  cache: set.cache_ratio ?? usual.cache,
  create_cache: set.create_cache_ratio ?? usual.create_cache,
});

/** The texts of a form in one of its units. */
export const textsIn = (
  set: SetPrice,
  unit: PriceDraft['unit'],
  usual: Usual,
  perRatio: number,
): PriceTexts => {
  const dollars = dollarsOf(ratiosOf(set, usual, set.ratio ?? usual.model ?? 0), perRatio);
  const part = (ratio: number | null, inDollars: number): string =>
    textOf(ratio === null || unit === 'ratio' ? ratio : inDollars);
  return {
    input: part(set.ratio, dollars.input),
    output: part(set.completion_ratio, dollars.output),
    cacheRead: part(set.cache_ratio, dollars.cacheRead),
    cacheWrite: part(set.create_cache_ratio, dollars.cacheWrite),
    call: textOf(set.price),
  };
};

/** Validation errors by field. */
export type PriceProblems = Readonly<
  Partial<Record<keyof PriceTexts, 'number' | 'inputNeeded' | 'zeroInput'>>
>;

const NUMBER = /^\d{1,9}(\.\d{1,12})?$/;
/** Nothing is set, so the catalogue applies. */
export const NO_PRICE: SetPrice = {
  price: null,
  ratio: null,
  completion_ratio: null,
  cache_ratio: null,
  create_cache_ratio: null,
};

/** The settings of the form, or its errors. */
export const setOf = (
  { mode, unit, texts }: PriceDraft,
  usual: Usual,
  perRatio: number,
): { readonly set: SetPrice; readonly problems: PriceProblems } => {
  const problems: Partial<Record<keyof PriceTexts, 'number' | 'inputNeeded' | 'zeroInput'>> = {};
  const read = (name: keyof PriceTexts): number | null => {
    const text = texts[name].trim();
    if (text === '') return null;
    if (!NUMBER.test(text)) problems[name] = 'number';
    return Number(text);
  };
  if (mode === 'call') {
    const price = read('call');
    if (price === null) problems.call = 'inputNeeded';
    return { set: { ...NO_PRICE, price }, problems };
  }
  const input = read('input');
  const ratio = input === null ? null : unit === 'usd' ? ratioOf(input, perRatio) : input;
  const base = ratio ?? usual.model ?? undefined;
  const share = (name: 'output' | 'cacheRead' | 'cacheWrite'): number | null => {
    const value = read(name);
    if (value === null || unit === 'ratio') return value;
    if (base === undefined) problems.input = 'inputNeeded';
    else if (base === 0 && value > 0) problems[name] ??= 'zeroInput';
    return base === undefined || base === 0 ? 1 : multipleOf(value, base, perRatio);
  };
  const set = {
    ...NO_PRICE,
    ratio,
    completion_ratio: share('output'),
    cache_ratio: share('cacheRead'),
    create_cache_ratio: share('cacheWrite'),
  };
  return { set, problems };
};

/** The price of each part in dollars; undefined without a price. */
export const dollarsOfSet = (set: SetPrice, usual: Usual, perRatio: number) => {
  const model = set.ratio ?? usual.model;
  return model === null ? undefined : dollarsOf(ratiosOf(set, usual, model), perRatio);
};

/** The multiplied settings of a model; undefined if it has no such price. */
export const multiplied = (
  { set, usd, ratios, origin }: PricedModel,
  factor: number,
  part: MultipliedPart,
): SetPrice | undefined => {
  if (usd === null || origin === 'unset') return undefined;
  // A price of 0 does not change, so it is not counted.
  const isFree = Object.values(usd).every((dollars) => dollars === 0 || dollars === null);
  if (isFree) return undefined;
  if ('call' in usd) return part === 'all' ? { ...NO_PRICE, price: tidy(usd.call * factor) } : undefined;
  if (ratios === null) return undefined;
  const { model, completion, cache, create_cache: createCache } = ratios;
  const isCacheReadPaid = usd.cache_read !== null && usd.cache_read !== 0;
  const isCacheWritePaid = usd.cache_write !== null && usd.cache_write !== 0;
  if (part === 'all') return { ...set, ratio: tidy(model * factor) };
  if (part === 'output' && usd.output === 0) return undefined;
  if (part === 'output') return { ...set, completion_ratio: tidy(completion * factor) };
  if (part === 'cache') {
    if (!isCacheReadPaid && !isCacheWritePaid) return undefined;
    return {
      ...set,
      cache_ratio: isCacheReadPaid ? tidy(cache * factor) : set.cache_ratio,
      create_cache_ratio: isCacheWritePaid ? tidy(createCache * factor) : set.create_cache_ratio,
    };
  }
  // The other prices stay the same in dollars, so their ratio to a dearer input falls.
  if (factor === 0) return undefined;
  return {
    ...set,
    ratio: tidy(model * factor),
    completion_ratio: tidy(completion / factor),
    cache_ratio: isCacheReadPaid ? tidy(cache / factor) : set.cache_ratio,
    create_cache_ratio: isCacheWritePaid ? tidy(createCache / factor) : set.create_cache_ratio,
  };
};
