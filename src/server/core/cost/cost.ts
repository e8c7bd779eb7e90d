import type { ChannelCost, CurrencyRates } from '#contract/channel/channel-cost.ts';
import { QUOTA_PER_UNIT, NANO_PER_USD } from '#contract/limits.ts';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import { listToolPrices, type PaidTool } from '#contract/options/tool-prices.ts';
import type { PriceCatalogue } from '../quota/catalogue.ts';
import { decimal, type Exact, ONE, roundedHalfUp } from '../quota/decimal.ts';
import { amountOfAll, portionsOf, priceAt } from '../quota/price-variants.ts';
import { findPrice, type Price } from '../quota/price.ts';
import { priceEntries, toolPricesOf } from '../quota/tool-prices.ts';
import { ownOf } from '../json/fields.ts';
import type { Bought } from './bought.ts';
import { amountOwned, type OwnCosts, ownCosts } from './own-costs.ts';

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

/** The list price, and the factor the operator pays of it. */
interface Listed {
  readonly price: Price;
  readonly factor: bigint;
}

/** How the tokens or the call are paid, and the tools beside them. */
interface Way {
  readonly of: Listed | OwnCosts;
  readonly tools: ToolCosts;
}

/** The cost of one call of a tool, in billionths of the currency, or of a dollar, as whole numbers of 1 / ONE². */
type ToolCosts = ReadonlyMap<PaidTool, { readonly each: bigint; readonly isInDollars: boolean }>;

/** In billionths of the currency, and of dollars beside it, both of the same scale. */
interface Amount extends Exact {
  readonly dollars: bigint;
}

/** 0.000000001 US dollars. */
const NANO = BigInt(NANO_PER_USD);
const NANO_PER_UNIT = NANO / BigInt(QUOTA_PER_UNIT);
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
  'group_setting.former_names': {},
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
  const paid = amountPaid(way, bought);
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
  const way = wayOf(cost, catalogue, model)?.of;
  return way && ('price' in way ? way.price : way).perToken === undefined;
};

/** What a channel's cost for a model depends on besides tokens. */
export const dimensionsOfCost = (
  cost: ChannelCost,
  catalogue: PriceCatalogue,
  model: string,
): PriceDimensions | undefined => {
  const way = wayOf(cost, catalogue, model)?.of;
  return way && ('price' in way ? way.price : way.shares).factors.dimensions;
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

const amountPaid = ({ of, tools }: Way, bought: Bought): Amount | undefined => {
  const { toolCalls, ...usage } = bought.usage;
  const tokens = 'price' in of ? amountListed(of, { ...bought, usage }) : amountOwned(of, bought);
  if (tokens === undefined || toolCalls === undefined) return tokens && { ...tokens, dollars: 0n };
  let [amount, dollars] = [tokens.amount * ONE * ONE, 0n];
  for (const [tool, calls] of priceEntries(toolCalls)) {
    const one = tools.get(tool);
    if (one === undefined) return undefined;
    const more = BigInt(calls) * one.each * tokens.scale;
    if (one.isInDollars) dollars += more;
    else amount += more;
  }
  return { amount, dollars, scale: tokens.scale * ONE * ONE };
};

/** Long prompts, tiers, speeds, regions and hours cost as listed: the variant that a charge at list price uses. */
const amountListed = ({ price, factor }: Listed, { usage, service, atMs }: Bought): Exact => {
  const { amount, scale } = amountOfAll(portionsOf(priceAt(price, atMs), usage, service));
  return { amount: amount * factor, scale: scale * ONE };
};

interface KnownWays {
  readonly catalogue: PriceCatalogue;
  readonly models: Map<string, Way | undefined>;
}

/** Computed once for each model of a channel and each list: a changed channel gets a new settings object. */
const known = new WeakMap<ChannelCost, KnownWays>();
const REMEMBERED_MAX = 5000;

const wayOf = (cost: ChannelCost, catalogue: PriceCatalogue, model: string): Way | undefined => {
  let ways = known.get(cost);
  if (ways?.catalogue !== catalogue) known.set(cost, (ways = { catalogue, models: new Map() }));
  const { models } = ways;
  if (models.has(model)) return models.get(model);
  const own = ownOf(cost.models, model);
  const of = own === undefined ? listed(cost.factor, catalogue, model) : ownCosts(own);
  const way = of && { of, tools: toolCosts(cost, model) };
  if (models.size < REMEMBERED_MAX) models.set(model, way);
  return way;
};

const listed = (factor: number | undefined, catalogue: PriceCatalogue, model: string): Listed | undefined => {
  if (factor === undefined) return undefined;
  const price = findPrice({ options: listOptions, catalogue }, model, LIST_GROUP, LIST_GROUP);
  return price && { price, factor: decimal(factor) * NANO_PER_UNIT };
};

/**
 * Tools that the upstream runs itself cost what the channel's table says, else their list price times the factor. Without one
 * nobody has said what a listed dollar costs in the currency.
 */
const toolCosts = ({ factor, tools = {} }: ChannelCost, model: string): ToolCosts => {
  const costs = new Map<PaidTool, { readonly each: bigint; readonly isInDollars: boolean }>();
  const add = (tool: PaidTool, perThousand: number, times: number, money: 'dollars' | 'currency') =>
    costs.set(tool, {
      each: decimal(perThousand) * NANO_PER_THOUSANDTH * decimal(times),
      isInDollars: money === 'dollars',
    });
  for (const [tool, usd] of priceEntries(toolPricesOf(listToolPrices, model)))
    add(tool, usd, factor ?? 1, factor === undefined ? 'dollars' : 'currency');
  for (const [tool, price] of priceEntries(tools)) add(tool, price, 1, 'currency');
  return costs;
};
