import { DEFAULT_CREATE_CACHE_RATIO } from '#contract/price-factors.ts';
import type { listModelPrices, setModelPrices } from '#contract/api/wallet/model-prices.ts';
import type { Data, Sent } from '#contract/endpoint.ts';

/** First part of the query keys of the list of prices. */
export const PRICES = 'model-prices';

/** An offered model with what it costs. */
export type PricedModel = Data<typeof listModelPrices>['items'][number];

/** The settings of a model; null if the catalogue applies. */
export type SetPrice = PricedModel['set'];

export type PriceChange = NonNullable<Sent<typeof setModelPrices>['body']>['models'][number];

/** US dollars for a million tokens of a model with a ratio of 1. */
export const dollarsOfRatio = (quotaPerUnit: number): number => 1_000_000 / quotaPerUnit;

/** Binary fractions leave noise in the last places; no price has twelve digits. */
export const tidy = (value: number): number => Number(value.toPrecision(12));

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

/** The value of an empty field: the catalogue's ratio, or the default one. */
interface Usual {
  /** Undefined where the catalogue does not know the model. */
  readonly ratio: number | undefined;
  readonly completion: number;
  readonly cache: number;
  readonly createCache: number;
}

export const usualOf = ({ catalogue }: Pick<PricedModel, 'catalogue'>, perRatio: number): Usual => {
  const input = catalogue?.input ?? 0;
  const share = (dollars: number | null | undefined, otherwise: number): number =>
    dollars === null || dollars === undefined || input === 0 ? otherwise : tidy(dollars / input);
  return {
    ratio: catalogue === null ? undefined : tidy(input / perRatio),
    completion: share(catalogue?.output, 1),
    cache: share(catalogue?.cache_read, 1),
    createCache: share(catalogue?.cache_write, DEFAULT_CREATE_CACHE_RATIO),
  };
};

/** The texts of a form in one of its units. */
export const textsIn = (
  set: SetPrice,
  unit: PriceDraft['unit'],
  usual: Usual,
  perRatio: number,
): PriceTexts => {
  const base = unit === 'usd' ? (set.ratio ?? usual.ratio ?? 0) * perRatio : 1;
  // Stored ratios are cut, so nine digits give back what was typed.
  const part = (ratio: number | null): string =>
    textOf(ratio === null ? null : unit === 'usd' ? Number((ratio * base).toPrecision(9)) : ratio);
  return {
    input: textOf(set.ratio === null ? null : set.ratio * (unit === 'usd' ? perRatio : 1)),
    output: part(set.completion_ratio),
    cacheRead: part(set.cache_ratio),
    cacheWrite: part(set.create_cache_ratio),
    call: textOf(set.price),
  };
};

/** Validation errors by field. */
export type PriceProblems = Readonly<
  Partial<Record<keyof PriceTexts, 'number' | 'inputNeeded' | 'zeroInput'>>
>;

const NUMBER = /^\d{1,9}(\.\d{1,12})?$/;
/** Nothing is set: the catalogue counts. */
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
  const ratio = input === null ? null : unit === 'usd' ? tidy(input / perRatio) : input;
  const base = ratio ?? usual.ratio;
  const share = (name: 'output' | 'cacheRead' | 'cacheWrite'): number | null => {
    const value = read(name);
    if (value === null || unit === 'ratio') return value;
    if (base === undefined) problems.input = 'inputNeeded';
    else if (base === 0 && value > 0) problems[name] ??= 'zeroInput';
    return base === undefined || base === 0 ? 1 : tidy(value / (base * perRatio));
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

const shown = (value: number): number => Number(value.toPrecision(9));

/** The price of each part in dollars; undefined without a price. */
export const dollarsOf = (set: SetPrice, usual: Usual, perRatio: number) => {
  const ratio = set.ratio ?? usual.ratio;
  if (ratio === undefined) return undefined;
  const input = ratio * perRatio;
  return {
    input: tidy(input),
    output: shown(input * (set.completion_ratio ?? usual.completion)),
    cacheRead: shown(input * (set.cache_ratio ?? usual.cache)),
    cacheWrite: shown(input * (set.create_cache_ratio ?? usual.createCache)),
  };
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
  // The others keep their dollars, so they are less of a dearer input.
  if (factor === 0) return undefined;
  return {
    ...set,
    ratio: tidy(model * factor),
    completion_ratio: tidy(completion / factor),
    cache_ratio: isCacheReadPaid ? tidy(cache / factor) : set.cache_ratio,
    create_cache_ratio: isCacheWritePaid ? tidy(createCache / factor) : set.create_cache_ratio,
  };
};
