import { translatedRefusal } from '../translated-refusal.ts';
import type { OptionValues } from '#contract/options.ts';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { ratioAt } from '#contract/model-dollars.ts';
import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { PaidTool } from '#contract/options/tool-prices.ts';
import { DEFAULT_CREATE_CACHE_RATIO, type Factors } from '#contract/price-factors.ts';
import type { Usage } from '../chat/usage.ts';
import type { CataloguePrice, PriceCatalogue } from './catalogue.ts';
import { decimal, decimalText, PLACES, roundedHalfUp } from './decimal.ts';
import {
  callFactors,
  type Factor,
  type PriceBucket,
  priceBuckets,
  type PriceFactors,
  tokenFactors,
  toolFactors,
} from './price-factors.ts';
import { groupRatio } from './group-ratio.ts';
import { plainQuota } from './plain-price.ts';
import { priceEntries, toolPricesOf } from './tool-prices.ts';
import { cacheSurcharge, imageCompletion, proportionsOf, soldAsText } from './untold-parts.ts';
import { ownOf } from '../json/fields.ts';

/** Where prices come from: the operator's options take precedence over the catalogue. */
export interface PriceSources {
  readonly options: Pick<
    OptionValues,
    | 'ModelRatio'
    | 'CompletionRatio'
    | 'ModelPrice'
    | 'CacheRatio'
    | 'CreateCacheRatio'
    | 'tool_price_setting.prices'
    | 'PriceDimensions'
    | 'GroupRatio'
    | 'GroupGroupRatio'
    | 'group_setting.former_names'
    | 'SelfUseModeEnabled'
    | 'QuotaPerUnit'
  >;
  readonly catalogue: PriceCatalogue;
}

/** The price of one token or call, as shown in the record of a call. */
export interface UnitPrice {
  readonly factors: Factors;
  /** The product of the factors, an exact decimal. */
  readonly unitsEach: string;
}

/** Its fields as JSON, without the braces. */
export const unitPriceText = (unit: UnitPrice): string => JSON.stringify(unit).slice(1, -1);

/** The price of one model for a pair of groups, multiplied out, so that charging a call only adds up. */
export interface Price {
  readonly factors: PriceFactors;
  readonly quotaPerUnit: number;
  /** Units per token, as whole numbers of 10^-places; undefined if the model is priced per call. */
  readonly perToken: Readonly<Record<PriceBucket, bigint>> | undefined;
  /** Units per call, likewise; 0 if the model is priced by tokens. */
  readonly perCall: bigint;
  /** Units per call of an upstream's own tool, likewise. */
  readonly perTool: Readonly<Partial<Record<PaidTool, bigint>>>;
  /** As few decimals as the numbers need, to keep them small. */
  readonly places: number;
  readonly scale: bigint;
  /** The same prices as `unitPriceText`, which every record of a call has. */
  readonly unitTexts: Readonly<Partial<Record<PricedPart, string>>>;
}

/** Whatever has a price of its own. */
export type PricedPart = PriceBucket | PaidTool | 'call';

const SELF_USE_RATIO = 37.5;

type Base = Pick<PriceFactors, 'modelRatio' | 'source'>;

/** The ratio of a model's input, and where it comes from; undefined if the model has no price. */
const baseOf = (
  options: PriceSources['options'],
  model: string,
  listed: CataloguePrice | undefined,
): Base | undefined => {
  const configured = ownOf(options.ModelRatio, model);
  if (configured !== undefined) return { modelRatio: configured, source: 'option' };
  // A list price is one in dollars.
  if (listed !== undefined)
    return { modelRatio: ratioAt(listed.modelRatio, options.QuotaPerUnit), source: 'catalogue' };
  return options.SelfUseModeEnabled ? { modelRatio: SELF_USE_RATIO, source: 'self-use' } : undefined;
};

const priceFactors = (
  { options, catalogue }: PriceSources,
  model: string,
  userGroup: string,
  usingGroup: string,
): PriceFactors | undefined => {
  const modelPrice = ownOf(options.ModelPrice, model) ?? -1;
  const isPerCall = modelPrice >= 0;
  const listed = catalogue.find(model);
  const base: Base | undefined = isPerCall
    ? { modelRatio: -1, source: 'option' }
    : baseOf(options, model, listed);
  if (base === undefined) return undefined;
  const known = listed ?? proportionsOf({ options, catalogue }, model);
  const completion = ownOf(options.CompletionRatio, model);
  const cache = ownOf(options.CacheRatio, model);
  const createCache = ownOf(options.CreateCacheRatio, model) ?? known?.createCacheRatio;
  const cachedSound = cacheSurcharge(cache, known, 'audioCacheSurcharge');
  const cachedPictures = cacheSurcharge(cache, known, 'imageCacheSurcharge');
  // The catalogue's dimensions are those of token prices: a price per call has only the dimensions the operator set.
  const { ratios = {}, ...dimensions } = withSet(
    isPerCall ? undefined : known === undefined ? catalogue.termsByName?.(model) : known.dimensions,
    ownOf(options.PriceDimensions, model),
  );
  const asText = isPerCall ? [] : soldAsText(known, ratios);
  const group = groupRatio(options, userGroup, usingGroup);
  return {
    ...base,
    modelPrice,
    completionRatio: completion ?? known?.completionRatio ?? 1,
    cacheRatio: cache ?? known?.cacheRatio ?? 1,
    ...(cachedSound !== undefined && { audioCacheSurcharge: cachedSound }),
    ...(cachedPictures !== undefined && { imageCacheSurcharge: cachedPictures }),
    createCacheRatio: createCache ?? DEFAULT_CREATE_CACHE_RATIO,
    writesCache: createCache !== undefined,
    imageRatio: ratios.imageInput ?? known?.imageRatio ?? 1,
    imageCompletionRatio: ratios.imageOutput ?? imageCompletion(completion, known),
    audioRatio: ratios.audioInput ?? known?.audioRatio ?? 1,
    audioCompletionRatio:
      ratios.audioOutput ?? known?.audioCompletionRatio ?? completion ?? known?.completionRatio ?? 1,
    ...(ratios.oneHour !== undefined && { oneHour: ratios.oneHour }),
    ...(Object.keys(dimensions).length > 0 && { dimensions }),
    toolPrices: toolPricesOf(options['tool_price_setting.prices'], model),
    groupRatio: group.ratio,
    userGroupRatio: group.special,
    ...(asText.length > 0 && { soldAsText: asText }),
  };
};

/** The operator's dimensions over those of the catalogue; tiers, speeds and places are merged by name. */
const withSet = (known: PriceDimensions | undefined, set: PriceDimensions | undefined): PriceDimensions => {
  if (known === undefined || set === undefined) return set ?? known ?? {};
  const merged = { ...known, ...set };
  for (const each of ['tiers', 'speeds', 'places'] as const)
    if (known[each] !== undefined && set[each] !== undefined) merged[each] = { ...known[each], ...set[each] };
  return merged;
};

/** Whether the model has a price, in any group. */
export const isPriced = ({ options, catalogue }: PriceSources, model: string): boolean =>
  options.SelfUseModeEnabled ||
  (ownOf(options.ModelPrice, model) ?? -1) >= 0 ||
  ownOf(options.ModelRatio, model) !== undefined ||
  catalogue.find(model)?.modelRatio !== undefined;

/** The product of at most `most` factors, in units of 10^-(`PLACES` × `most`). */
const productOf = (factors: readonly Factor[], most: number): bigint =>
  factors.reduce(
    (product, [, value]) => product * decimal(value),
    10n ** BigInt(PLACES * (most - factors.length)),
  );

const factorTexts = (factors: readonly Factor[]): Factors =>
  Object.fromEntries(factors.map(([name, value]) => [name, decimalText(decimal(value))]));

const ZERO = '0'.charCodeAt(0);

/**
 * How many trailing decimals are 0 in all numbers. Counted in their digits, because dividing takes ten times as long.
 */
const sparePlaces = (numbers: readonly bigint[], most: number): number => {
  let spare = most;
  for (const value of numbers) {
    if (value === 0n) continue;
    const digits = value.toString();
    let zeros = 0;
    while (zeros < spare && digits.charCodeAt(digits.length - 1 - zeros) === ZERO) zeros += 1;
    spare = zeros;
  }
  return spare;
};

/**
 * The price of a model for a user of `userGroup` calling in `usingGroup`. The operator's settings win over the
 * catalogue; a price per call (`ModelPrice`) wins over ratios. Undefined if the model has no price and self-use mode is
 * off.
 */
export const findPrice = (
  sources: PriceSources,
  model: string,
  userGroup: string,
  usingGroup: string,
): Price | undefined => {
  const factors = priceFactors(sources, model, userGroup, usingGroup);
  return factors === undefined ? undefined : priceFrom(factors, sources.options.QuotaPerUnit);
};

/** Like `findPrice`, but throws `invalid_request` (`model_price_error`) if there is none. */
export const priceOf = (
  sources: PriceSources,
  model: string,
  userGroup: string,
  usingGroup: string,
): Price => {
  const price = findPrice(sources, model, userGroup, usingGroup);
  if (price === undefined) {
    throw translatedRefusal(
      'invalid_request',
      'relay_no_price',
      { model },
      {
        reason: 'model_price_error',
        param: 'model',
      },
    );
  }
  return price;
};

/** Builds a price from its factors. */
export const priceFrom = (factors: PriceFactors, quotaPerUnit: number): Price => {
  const isByTokens = factors.modelPrice < 0;
  const buckets = isByTokens ? priceBuckets : [];
  const tools = priceEntries(factors.toolPrices).map(([tool]) => tool);
  const parts = new Map<PricedPart, readonly Factor[]>([
    ...buckets.map((bucket) => [bucket, tokenFactors(factors, bucket)] as const),
    ...tools.map((tool) => [tool, toolFactors(factors, tool, quotaPerUnit)] as const),
  ]);
  if (!isByTokens) parts.set('call', callFactors(factors, quotaPerUnit));
  const most = Math.max(0, ...[...parts.values()].map(({ length }) => length));
  const products = new Map([...parts].map(([part, of]) => [part, productOf(of, most)]));
  const spare = sparePlaces([...products.values()], most * PLACES);
  const places = most * PLACES - spare;
  const divisor = 10n ** BigInt(spare);
  const each = (part: PricedPart): bigint => (products.get(part) ?? 0n) / divisor;
  return {
    factors,
    quotaPerUnit,
    perToken: isByTokens ? byBucket(each) : undefined,
    perCall: each('call'),
    perTool: Object.fromEntries(tools.map((tool) => [tool, each(tool)])),
    places,
    scale: 10n ** BigInt(places),
    unitTexts: Object.fromEntries(
      [...parts].map(([part, of]) => [
        part,
        unitPriceText({ factors: factorTexts(of), unitsEach: decimalText(each(part), places) }),
      ]),
    ),
  };
};

const byBucket = (each: (bucket: PriceBucket) => bigint): Record<PriceBucket, bigint> =>
  Object.fromEntries(priceBuckets.map((bucket) => [bucket, each(bucket)])) as Record<PriceBucket, bigint>;

/** Multiplies a price per call by `times`: for several pictures, or larger ones. Prices by tokens stay the same. */
export const timesPerCall = (price: Price, times: number): Price =>
  price.perToken !== undefined || times === 1
    ? price
    : priceFrom({ ...price.factors, times }, price.quotaPerUnit);

/**
 * The price of `usage` in whole units: multiplied exactly, rounded once, half up, at least 1 if it costs anything.
 * Undefined if it is more than a balance can hold.
 */
export const quotaOf = (price: Price, usage: Usage): number | undefined =>
  plainQuota(price, usage) ?? wholeUnits(amountOf(price, usage), price);

/** The exact price of `usage`, in units of the price's places. */
export const amountOf = (price: Price, usage: Usage): bigint => {
  const { perToken } = price;
  let amount = price.perCall;
  if (perToken !== undefined) {
    for (const bucket of priceBuckets) {
      const tokens = usage[bucket];
      if (tokens !== 0) amount += BigInt(tokens) * perToken[bucket];
    }
  }
  for (const [tool, calls] of priceEntries(usage.toolCalls))
    amount += BigInt(calls) * (price.perTool[tool] ?? 0n);
  return amount;
};

/** Rounds an amount of the price's decimals to whole units; undefined if it is more than a balance can hold. */
export const wholeUnits = (amount: bigint, { scale }: Pick<Price, 'scale'>): number | undefined => {
  if (amount === 0n) return 0;
  const rounded = roundedHalfUp(amount, scale);
  if (rounded > MAX_QUOTA_UNITS_EXACT) return undefined;
  return Math.max(1, Number(rounded));
};

const MAX_QUOTA_UNITS_EXACT = BigInt(MAX_QUOTA_UNITS);
