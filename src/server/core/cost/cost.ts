import type { ChannelCost, CurrencyRates, ModelCost } from '#contract/channel/channel-cost.ts';
import { QUOTA_PER_UNIT, NANO_PER_USD } from '#contract/limits.ts';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { listToolPrices, type PaidTool } from '#contract/options/tool-prices.ts';
import type { Usage } from '../chat/usage.ts';
import type { PriceCatalogue } from '../quota/catalogue.ts';
import { decimal, ONE, roundedHalfUp } from '../quota/decimal.ts';
import { type PriceBucket, priceBuckets } from '../quota/price-factors.ts';
import { amountOfAll, portionsOf, priceAt } from '../quota/price-variants.ts';
import type { Service } from '../quota/served-terms.ts';
import { findPrice, type Price } from '../quota/price.ts';
import { priceEntries, toolPricesOf } from '../quota/tool-prices.ts';
import { ownOf } from '../json/fields.ts';

/** What the cost of a call is computed from. */
export interface CostSources {
  readonly catalogue: PriceCatalogue;
  readonly rates: CurrencyRates;
}

/** The prices and settings of a site that costs are computed from. */
export const costSourcesOf = ({ catalogue, options }: CostSettings): CostSources => ({
  catalogue,
  rates: options['cost_setting.currency_rates'],
});

interface CostSettings {
  readonly catalogue: PriceCatalogue;
  readonly options: Pick<OptionValues, 'cost_setting.currency_rates'>;
}

/** One use of a channel. */
export interface Bought {
  /** The upstream's name of the model. */
  readonly model: string;
  readonly usage: Usage;
  /** The service requested and served, as in the charge. */
  readonly service: Service;
  /** How many times a price per call applies. */
  readonly times: number;
  readonly atMs: number;
}

/**
 * The cost of one token, call or tool by the channel's own table, in billionths of the currency, as whole numbers of 1
 * / ONE.
 */
interface Each {
  readonly perToken: Readonly<Record<PriceBucket, bigint | undefined>> | undefined;
  readonly perCall: bigint;
  readonly perTool: Readonly<Partial<Record<PaidTool, bigint>>>;
  /** Tools cost list prices, which are in dollars: nobody has said what a listed dollar costs in the currency. */
  readonly areToolsInDollars: boolean;
}

/** The list price, and the factor the operator pays of it. */
interface Listed {
  readonly price: Price;
  readonly factor: bigint;
}

/** In billionths of the currency, and of dollars beside it, as whole numbers of 1 / scale. */
interface Amount {
  readonly amount: bigint;
  readonly dollars: bigint;
  readonly scale: bigint;
}

/** 0.000000001 US dollars. */
const NANO = BigInt(NANO_PER_USD);
const NANO_PER_UNIT = NANO / BigInt(QUOTA_PER_UNIT);
const NANO_PER_MILLIONTH = NANO / 1_000_000n;
const NANO_PER_THOUSANDTH = NANO / 1000n;
/**
 * A hundred thousand dollars. No call costs that, so the table or rate is wrong. The cost is capped here, so that such
 * calls still show as sold below cost, and sums still fit the database; otherwise the call could not be settled.
 */
const MOST_NANO = 100_000n * NANO;
/** No currency is worth less. A smaller rate is a mistake, so the cost counts as unknown. */
const LEAST_RATE = 1e-12;
const DAY_LENGTH = 'yyyy-mm-dd'.length;
const LIST_GROUP = '';

/** The list price is the vendor's, whatever the operator charges. */
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
 * What a use of a channel costs the operator, in billionths of a US dollar: multiplied exactly and rounded once, half
 * up, so that a sum of n calls is off by at most n / 2 of them. At most a hundred thousand dollars. 0 means free;
 * undefined means unknown: the channel has no cost settings, the model has neither a cost nor a list price, or the
 * currency has no rate on or before that day.
 */
export const costOf = (
  cost: ChannelCost | undefined,
  sources: CostSources,
  bought: Bought,
): number | undefined => {
  if (cost === undefined) return undefined;
  const way = wayOf(cost, sources.catalogue, bought.model);
  const rate = way && dollarsOn(cost.currency, sources.rates, bought.atMs);
  if (way === undefined || rate === undefined) return undefined;
  const paid = 'price' in way ? amountListed(way, bought) : amountOwned(way, bought);
  if (paid === undefined) return undefined;
  const nano = roundedHalfUp(paid.amount * rate + paid.dollars * ONE, paid.scale * ONE);
  return Number(nano > MOST_NANO ? MOST_NANO : nano);
};

/** Whether a channel's cost for a model is per call; undefined if the cost is not known. */
export const isCostedByCall = (
  cost: ChannelCost,
  catalogue: PriceCatalogue,
  model: string,
): boolean | undefined => {
  const way = wayOf(cost, catalogue, model);
  return way && ('price' in way ? way.price : way).perToken === undefined;
};

/** How many US dollars one of a currency was worth on the day of a time; undefined if no rate is known. */
export const dollarsOn = (
  currency: string | undefined,
  rates: CurrencyRates,
  atMs: number,
): bigint | undefined => {
  if (currency === undefined || currency === 'USD') return ONE;
  const day = new Date(atMs).toISOString().slice(0, DAY_LENGTH);
  let last: CurrencyRates[string][number] | undefined;
  for (const rate of ownOf(rates, currency) ?? [])
    if (rate.from <= day && (last === undefined || rate.from >= last.from)) last = rate;
  return last === undefined || last.usd < LEAST_RATE ? undefined : decimal(last.usd);
};

/** Long prompts, tiers, speeds, regions and hours cost as listed: the variant that a charge at list price uses. */
const amountListed = ({ price, factor }: Listed, { usage, service, atMs }: Bought): Amount | undefined => {
  for (const [tool] of priceEntries(usage.toolCalls)) if (price.perTool[tool] === undefined) return undefined;
  const { amount, scale } = amountOfAll(portionsOf(priceAt(price, atMs), usage, service));
  return { amount: amount * factor, dollars: 0n, scale: scale * ONE };
};

const amountOwned = (each: Each, { usage, times }: Bought): Amount | undefined => {
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
  let tools = 0n;
  for (const [tool, calls] of priceEntries(usage.toolCalls)) {
    const one = each.perTool[tool];
    if (one === undefined) return undefined;
    tools += BigInt(calls) * one;
  }
  return each.areToolsInDollars
    ? { amount, dollars: tools, scale: ONE }
    : { amount: amount + tools, dollars: 0n, scale: ONE };
};

interface KnownWays {
  readonly catalogue: PriceCatalogue;
  readonly models: Map<string, Listed | Each | undefined>;
}

/** Computed once for each model of a channel and each list: a changed channel gets a new settings object. */
const known = new WeakMap<ChannelCost, KnownWays>();
const REMEMBERED_MAX = 5000;

const wayOf = (cost: ChannelCost, catalogue: PriceCatalogue, model: string): Listed | Each | undefined => {
  let ways = known.get(cost);
  if (ways?.catalogue !== catalogue) known.set(cost, (ways = { catalogue, models: new Map() }));
  const { models } = ways;
  if (models.has(model)) return models.get(model);
  const own = ownOf(cost.models, model);
  const way = own === undefined ? listed(cost.factor, catalogue, model) : owned(own, cost.factor, model);
  if (models.size < REMEMBERED_MAX) models.set(model, way);
  return way;
};

const listed = (factor: number | undefined, catalogue: PriceCatalogue, model: string): Listed | undefined => {
  if (factor === undefined) return undefined;
  const price = findPrice({ options: listOptions, catalogue }, model, LIST_GROUP, LIST_GROUP);
  return price && { price, factor: decimal(factor) * NANO_PER_UNIT };
};

/** Tools that the upstream runs itself cost their list price, times the factor if there is one. */
const owned = (own: ModelCost, factor: number | undefined, model: string): Each => ({
  perToken: 'call' in own ? undefined : tokenCosts(own),
  perCall: 'call' in own ? decimal(own.call) * NANO : 0n,
  perTool: Object.fromEntries(
    priceEntries(toolPricesOf(listToolPrices, model)).map(([tool, usd]) => [
      tool,
      (decimal(usd) * NANO_PER_THOUSANDTH * decimal(factor ?? 1)) / ONE,
    ]),
  ),
  areToolsInDollars: factor === undefined,
});

const tokenCosts = (own: Exclude<ModelCost, { readonly call: number }>): Each['perToken'] => {
  const each = (perMillion: number | undefined): bigint | undefined =>
    perMillion === undefined ? undefined : decimal(perMillion) * NANO_PER_MILLIONTH;
  return {
    inputTokens: each(own.input),
    cacheReadTokens: each(own.cache_read ?? own.input),
    // Cached sound and pictures cost no more than cached text.
    audioCacheReadTokens: 0n,
    imageCacheReadTokens: 0n,
    cacheWrite5mTokens: each(own.cache_write ?? own.input),
    cacheWrite1hTokens: each(own.cache_write_1h ?? own.cache_write ?? own.input),
    imageInputTokens: each(own.image_input ?? own.input),
    outputTokens: each(own.output),
    audioInputTokens: each(own.audio_input),
    audioOutputTokens: each(own.audio_output),
    imageOutputTokens: each(own.image_output),
  };
};
