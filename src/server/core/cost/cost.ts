import type { ChannelCost, CurrencyRates, ModelCost } from '#contract/channel-cost.ts';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { initialOptions } from '#contract/options.ts';
import { listToolPrices, type PaidTool } from '#contract/options/tool-prices.ts';
import type { Usage } from '../chat/usage.ts';
import type { PriceCatalogue } from '../quota/catalogue.ts';
import { decimal, ONE, roundedHalfUp } from '../quota/decimal.ts';
import { type PriceBucket, priceBuckets } from '../quota/price-factors.ts';
import { findPrice, type Price } from '../quota/price.ts';
import { priceEntries, toolPricesOf } from '../quota/tool-prices.ts';

/** What a call is costed by. */
export interface CostSources {
  readonly catalogue: PriceCatalogue;
  readonly rates: CurrencyRates;
}

/** One use of a channel. */
export interface Bought {
  /** The upstream's name of the model. */
  readonly model: string;
  readonly usage: Usage;
  /** How many times a price per call is paid. */
  readonly times: number;
  readonly atMs: number;
}

/** What one token, call or tool costs, in billionths of the currency, as whole numbers of 1 / scale. */
interface Each {
  readonly perToken: Readonly<Record<PriceBucket, bigint | undefined>> | undefined;
  readonly perCall: bigint;
  readonly perTool: Readonly<Partial<Record<PaidTool, bigint>>>;
  readonly scale: bigint;
}

/** 0.000000001 US dollars. */
const NANO = 1_000_000_000n;
const NANO_PER_UNIT = NANO / BigInt(QUOTA_PER_UNIT);
const NANO_PER_MILLIONTH = NANO / 1_000_000n;
const NANO_PER_THOUSANDTH = NANO / 1000n;
const MOST_NANO = BigInt(Number.MAX_SAFE_INTEGER);
const DAY_LENGTH = 'yyyy-mm-dd'.length;
const LIST_GROUP = '';

/** The list price is the maker's, whatever the operator sells for. */
const listOptions = {
  ModelRatio: {},
  CompletionRatio: {},
  ModelPrice: {},
  CacheRatio: {},
  CreateCacheRatio: {},
  'tool_price_setting.prices': listToolPrices,
  PriceDimensions: {},
  GroupRatio: {},
  GroupGroupRatio: {},
  SelfUseModeEnabled: initialOptions.SelfUseModeEnabled,
  QuotaPerUnit: QUOTA_PER_UNIT,
};

/**
 * What a use of a channel costs the operator, in billionths of a US dollar: multiplied exactly and rounded once, half up, so
 * that a sum of n calls is off by at most n / 2 of them. 0 is a cost of nothing; undefined means that it is not known: the
 * channel has no cost settings, the model has neither a cost nor a list price, or the currency no rate on or before that day.
 */
export const costOf = (
  cost: ChannelCost | undefined,
  sources: CostSources,
  bought: Bought,
): number | undefined => {
  if (cost === undefined) return undefined;
  const each = eachOf(cost, sources.catalogue, bought.model);
  const rate = each && rateOn(cost.currency, sources.rates, bought.atMs);
  if (each === undefined || rate === undefined) return undefined;
  const amount = amountOf(each, bought);
  if (amount === undefined) return undefined;
  const nano = roundedHalfUp(amount * rate, each.scale * ONE);
  return nano > MOST_NANO ? undefined : Number(nano);
};

const rateOn = (currency: string | undefined, rates: CurrencyRates, atMs: number): bigint | undefined => {
  if (currency === undefined || currency === 'USD') return ONE;
  const day = new Date(atMs).toISOString().slice(0, DAY_LENGTH);
  let last: CurrencyRates[string][number] | undefined;
  for (const rate of (Object.hasOwn(rates, currency) ? rates[currency] : undefined) ?? [])
    if (rate.from <= day && (last === undefined || rate.from >= last.from)) last = rate;
  return last && decimal(last.usd);
};

const amountOf = (each: Each, { usage, times }: Bought): bigint | undefined => {
  const { perToken } = each;
  let amount = perToken === undefined ? (each.perCall * decimal(times)) / ONE : 0n;
  if (perToken !== undefined) {
    for (const bucket of priceBuckets) {
      const tokens = usage[bucket];
      if (tokens === 0) continue;
      const one = perToken[bucket];
      if (one === undefined) return undefined;
      amount += BigInt(tokens) * one;
    }
  }
  for (const [tool, calls] of priceEntries(usage.toolCalls)) {
    const one = each.perTool[tool];
    if (one === undefined) return undefined;
    amount += BigInt(calls) * one;
  }
  return amount;
};

/** Found once for each model of a channel: settings are replaced whole when a channel changes. */
const known = new WeakMap<ChannelCost, Map<string, Each | undefined>>();
const REMEMBERED_MAX = 5000;

const eachOf = (cost: ChannelCost, catalogue: PriceCatalogue, model: string): Each | undefined => {
  let models = known.get(cost);
  if (models === undefined) known.set(cost, (models = new Map()));
  if (models.has(model)) return models.get(model);
  const own = cost.models !== undefined && Object.hasOwn(cost.models, model) ? cost.models[model] : undefined;
  const each = own === undefined ? listed(cost.factor, catalogue, model) : owned(own, cost.factor, model);
  if (models.size < REMEMBERED_MAX) models.set(model, each);
  return each;
};

const listed = (factor: number | undefined, catalogue: PriceCatalogue, model: string): Each | undefined => {
  if (factor === undefined) return undefined;
  const price = findPrice({ options: listOptions, catalogue }, model, LIST_GROUP, LIST_GROUP);
  return price && timesFactor(price, decimal(factor) * NANO_PER_UNIT);
};

const timesFactor = ({ perToken, perCall, perTool, scale }: Price, factor: bigint): Each => ({
  perToken: perToken && byBucket((bucket) => perToken[bucket] * factor),
  perCall: perCall * factor,
  perTool: Object.fromEntries(priceEntries(perTool).map(([tool, one]) => [tool, one * factor])),
  scale: scale * ONE,
});

const byBucket = (
  one: (bucket: PriceBucket) => bigint | undefined,
): Record<PriceBucket, bigint | undefined> =>
  Object.fromEntries(priceBuckets.map((bucket) => [bucket, one(bucket)])) as Record<
    PriceBucket,
    bigint | undefined
  >;

/** Tools that the upstream runs itself cost their list price, times the factor where there is one. */
const owned = (own: ModelCost, factor: number | undefined, model: string): Each => ({
  perToken: 'call' in own ? undefined : tokenCosts(own),
  perCall: 'call' in own ? decimal(own.call) * NANO : 0n,
  perTool: Object.fromEntries(
    priceEntries(toolPricesOf(listToolPrices, model)).map(([tool, usd]) => [
      tool,
      (decimal(usd) * NANO_PER_THOUSANDTH * decimal(factor ?? 1)) / ONE,
    ]),
  ),
  scale: ONE,
});

const tokenCosts = (own: Exclude<ModelCost, { readonly call: number }>): Each['perToken'] => {
  const each = (perMillion: number | undefined): bigint | undefined =>
    perMillion === undefined ? undefined : decimal(perMillion) * NANO_PER_MILLIONTH;
  return {
    inputTokens: each(own.input),
    cacheReadTokens: each(own.cache_read ?? own.input),
    cacheWrite5mTokens: each(own.cache_write ?? own.input),
    cacheWrite1hTokens: each(own.cache_write_1h ?? own.cache_write ?? own.input),
    imageInputTokens: each(own.image_input ?? own.input),
    outputTokens: each(own.output),
    audioInputTokens: each(own.audio_input),
    audioOutputTokens: each(own.audio_output),
    imageOutputTokens: each(own.image_output),
  };
};
