import { saidRefusal } from '../said-refusal.ts';
import type { OptionValues } from '#contract/options.ts';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import type { PaidTool } from '#contract/options/tool-prices.ts';
import type { Usage } from '../chat/usage.ts';
import type { PriceCatalogue } from './catalogue.ts';
import { type Decimal, decimal, decimalText, ONE, PLACES, roundedHalfUp } from './decimal.ts';
import { priceEntries, type ToolPrices, toolPricesOf } from './tool-prices.ts';

/** What prices are made of: the operator's options over the catalogue. */
export interface PriceSources {
  readonly options: Pick<
    OptionValues,
    | 'ModelRatio'
    | 'CompletionRatio'
    | 'ModelPrice'
    | 'CacheRatio'
    | 'CreateCacheRatio'
    | 'tool_price_setting.prices'
    | 'GroupRatio'
    | 'GroupGroupRatio'
    | 'SelfUseModeEnabled'
    | 'QuotaPerUnit'
  >;
  readonly catalogue: PriceCatalogue;
}

/** The buckets of `Usage` that have a price of their own. */
export const priceBuckets = [
  'inputTokens',
  'cacheReadTokens',
  'cacheWrite5mTokens',
  'cacheWrite1hTokens',
  'imageInputTokens',
  'audioInputTokens',
  'outputTokens',
  'audioOutputTokens',
  'imageOutputTokens',
] as const satisfies readonly (keyof Usage)[];

export type PriceBucket = (typeof priceBuckets)[number];

/** The factors a price was worked out with, as an operator knows them. */
export interface PriceFactors {
  /** −1 where the model has a price per call. */
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  readonly createCacheRatio: number;
  readonly imageRatio: number;
  readonly audioRatio: number;
  readonly audioCompletionRatio: number;
  /** Of pictures that are drawn; absent in what was written down before there was one: as text. */
  readonly imageCompletionRatio?: number;
  /** USD for a thousand calls of the tools an upstream runs itself; absent in what was written down before there were any. */
  readonly toolPrices?: ToolPrices;
  /** USD for one call; −1 where the model is priced by tokens. */
  readonly modelPrice: number;
  readonly groupRatio: number;
  /** The ratio of `GroupGroupRatio`; −1 where there is none. */
  readonly userGroupRatio: number;
  readonly source: 'option' | 'catalogue' | 'self-use';
  /** The model is known to charge for writing to a cache. */
  readonly writesCache: boolean;
}

/** The price of one model for one pair of groups, multiplied out, so that a call only adds. */
export interface Price {
  readonly factors: PriceFactors;
  /** Units of one token, as whole numbers of 10^-places; undefined where the price is per call. */
  readonly perToken: Readonly<Record<PriceBucket, bigint>> | undefined;
  /** Units of one call, likewise; 0 where the price is by tokens. */
  readonly perCall: bigint;
  /** Units of one call of a tool that the upstream runs itself, likewise. */
  readonly perTool: Readonly<Partial<Record<PaidTool, bigint>>>;
  /** No more than the numbers need, so that they stay small. */
  readonly places: number;
  readonly scale: bigint;
  /** The same as exact decimals; of a price per call that under `call`. */
  readonly unitsEach: Readonly<Record<PriceBucket | 'call', string>>;
}

/** The numbers of a price, all of as many places. */
type Exact = Pick<Price, 'perToken' | 'perCall' | 'perTool' | 'places'>;

const SELF_USE_RATIO = 37.5;
const DEFAULT_CREATE_CACHE_RATIO = 1.25;
/** An hour in the cache costs 1.6 times what five minutes cost (6 USD to 3.75 at the provider who sells both). */
const ONE_HOUR: Decimal = 1_600_000_000_000n;
/** Places of a product of four decimals, and of two of which one is for a thousand. */
const TOKEN_PLACES = 4 * PLACES;
const CALL_PLACES = 2 * PLACES + 3;
const THOUSAND = 1000n;

const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The ratio of a pair of groups: the special one of `GroupGroupRatio`, else the group's, else 1. */
export const groupRatio = (
  options: Pick<OptionValues, 'GroupRatio' | 'GroupGroupRatio'>,
  userGroup: string,
  usingGroup: string,
): { readonly ratio: number; readonly special: number } => {
  const special = own(own(options.GroupGroupRatio, userGroup) ?? {}, usingGroup);
  return { ratio: special ?? own(options.GroupRatio, usingGroup) ?? 1, special: special ?? -1 };
};

const priceFactors = (
  { options, catalogue }: PriceSources,
  model: string,
  userGroup: string,
  usingGroup: string,
): PriceFactors | undefined => {
  const group = groupRatio(options, userGroup, usingGroup);
  const modelPrice = own(options.ModelPrice, model) ?? -1;
  const known = catalogue.find(model);
  const configured = own(options.ModelRatio, model);
  const createCacheRatio = own(options.CreateCacheRatio, model) ?? known?.createCacheRatio;
  const selfUse = options.SelfUseModeEnabled ? SELF_USE_RATIO : undefined;
  const modelRatio = modelPrice >= 0 ? -1 : (configured ?? known?.modelRatio ?? selfUse);
  if (modelRatio === undefined) return undefined;
  return {
    modelRatio,
    completionRatio: own(options.CompletionRatio, model) ?? known?.completionRatio ?? 1,
    cacheRatio: own(options.CacheRatio, model) ?? known?.cacheRatio ?? 1,
    createCacheRatio: createCacheRatio ?? DEFAULT_CREATE_CACHE_RATIO,
    writesCache: createCacheRatio !== undefined,
    imageRatio: known?.imageRatio ?? 1,
    audioRatio: known?.audioRatio ?? 1,
    audioCompletionRatio:
      known?.audioCompletionRatio ?? own(options.CompletionRatio, model) ?? known?.completionRatio ?? 1,
    imageCompletionRatio:
      own(options.CompletionRatio, model) ?? known?.imageCompletionRatio ?? known?.completionRatio ?? 1,
    modelPrice,
    toolPrices: toolPricesOf(options['tool_price_setting.prices'], model),
    groupRatio: group.ratio,
    userGroupRatio: group.special,
    source:
      modelPrice >= 0 || configured !== undefined ? 'option' : known === undefined ? 'self-use' : 'catalogue',
  };
};

/** Whether calls of the model can be paid at all, in whatever group. */
export const isPriced = ({ options, catalogue }: PriceSources, model: string): boolean =>
  options.SelfUseModeEnabled ||
  (own(options.ModelPrice, model) ?? -1) >= 0 ||
  own(options.ModelRatio, model) !== undefined ||
  catalogue.find(model)?.modelRatio !== undefined;

const tokenPrices = (factors: PriceFactors): Record<PriceBucket, bigint> => {
  const base = decimal(factors.modelRatio) * decimal(factors.groupRatio);
  const once = (ratio: Decimal): bigint => base * ratio * ONE;
  const create = decimal(factors.createCacheRatio);
  const audio = decimal(factors.audioRatio);
  return {
    inputTokens: once(ONE),
    cacheReadTokens: once(decimal(factors.cacheRatio)),
    cacheWrite5mTokens: once(create),
    cacheWrite1hTokens: base * create * ONE_HOUR,
    imageInputTokens: once(decimal(factors.imageRatio)),
    audioInputTokens: once(audio),
    outputTokens: once(decimal(factors.completionRatio)),
    audioOutputTokens: base * audio * decimal(factors.audioCompletionRatio),
    imageOutputTokens: once(decimal(factors.imageCompletionRatio ?? factors.completionRatio)),
  };
};

/** What a call of each tool costs, in units of 10^-places. */
const toolUnits = (
  { toolPrices, groupRatio: ratio }: PriceFactors,
  quotaPerUnit: number,
  places: number,
): Price['perTool'] => {
  const perDollar = decimal(ratio) * BigInt(quotaPerUnit) * 10n ** BigInt(places - CALL_PLACES);
  return Object.fromEntries(priceEntries(toolPrices).map(([tool, usd]) => [tool, decimal(usd) * perDollar]));
};

/** Takes away the places that no number needs. */
const shortened = (factors: PriceFactors, exact: Exact): Price => {
  const { perToken, perCall } = exact;
  let { places } = exact;
  const tools = priceEntries(exact.perTool);
  const numbers = [perCall, ...tools.map(([, units]) => units)];
  for (const bucket of priceBuckets) numbers.push(perToken?.[bucket] ?? 0n);
  let divisor = 1n;
  while (places > 0 && numbers.every((value) => value % (divisor * 10n) === 0n)) {
    divisor *= 10n;
    places -= 1;
  }
  const short: Partial<Record<PriceBucket, bigint>> = {};
  const unitsEach: Partial<Record<PriceBucket | 'call', string>> = {
    call: decimalText(perCall / divisor, places),
  };
  for (const bucket of priceBuckets) {
    short[bucket] = (perToken?.[bucket] ?? 0n) / divisor;
    unitsEach[bucket] = decimalText(short[bucket], places);
  }
  return {
    factors,
    perToken: perToken === undefined ? undefined : (short as Price['perToken']),
    perCall: perCall / divisor,
    perTool: Object.fromEntries(tools.map(([tool, units]) => [tool, units / divisor])),
    places,
    scale: 10n ** BigInt(places),
    unitsEach: unitsEach as Price['unitsEach'],
  };
};

/**
 * The price of a model for a user of `userGroup` calling in `usingGroup`. What the operator set always wins over the
 * catalogue; a price per call (`ModelPrice`) wins over ratios. Undefined where the model has no price and self-use mode is
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

/** The price as `findPrice` finds it. Throws `invalid_request` (`model_price_error`) where there is none. */
export const priceOf = (
  sources: PriceSources,
  model: string,
  userGroup: string,
  usingGroup: string,
): Price => {
  const price = findPrice(sources, model, userGroup, usingGroup);
  if (price === undefined) {
    throw saidRefusal(
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

/** The price that such factors make. */
export const priceFrom = (factors: PriceFactors, quotaPerUnit: number): Price => {
  const perToken = factors.modelPrice < 0 ? tokenPrices(factors) : undefined;
  const places = perToken === undefined ? CALL_PLACES : TOKEN_PLACES;
  const perTool = toolUnits(factors, quotaPerUnit, places);
  const perDollar = decimal(factors.groupRatio) * BigInt(quotaPerUnit) * THOUSAND;
  const perCall = perToken === undefined ? decimal(factors.modelPrice) * perDollar : 0n;
  return shortened(factors, { perToken, perCall, perTool, places });
};

/** The price of a call that is paid `factor` times over: several pictures, or larger ones. Prices by tokens stay. */
export const timesPerCall = (price: Price, factor: number): Price => {
  if (price.perToken !== undefined || factor === 1) return price;
  const tools = priceEntries(price.perTool).map(([tool, units]) => [tool, units * ONE] as const);
  return shortened(price.factors, {
    perToken: undefined,
    perCall: price.perCall * decimal(factor),
    perTool: Object.fromEntries(tools),
    places: price.places + PLACES,
  });
};

/**
 * What `usage` costs, in whole units: multiplied exactly, rounded once, half up, at least 1 when it costs anything.
 * Undefined when that is more than a balance can hold.
 */
export const quotaOf = (price: Price, usage: Usage): number | undefined => {
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
  if (amount === 0n) return 0;
  const rounded = roundedHalfUp(amount, price.scale);
  if (rounded > MAX_QUOTA_UNITS_EXACT) return undefined;
  return Math.max(1, Number(rounded));
};

const MAX_QUOTA_UNITS_EXACT = BigInt(MAX_QUOTA_UNITS);
