import { AUTO_GROUP, DEFAULT_GROUP } from '#contract/codes.ts';
import { optionTable } from '#contract/options.ts';
import type { Routing } from '#core/channel/routing.ts';
import { groupRatio } from '#core/quota/group-ratio.ts';
import { findPrice, type Price, type PriceSources } from '#core/quota/price.ts';
import type { PriceFactors } from '#core/quota/price-factors.ts';
import { otherUsdPrices, type UsdPrices, usdPrices } from '#core/quota/usd-prices.ts';
import { taskPriceOf, taskPrices } from '#core/task/task-price.ts';
import { shownVariants, type ShownVariant } from './shown-variants.ts';
import { servedModels, usableGroups } from '../people/usable-groups.ts';

type ShownPrices = UsdPrices & { readonly others?: ReturnType<typeof otherUsdPrices> };

/** The price of one model; the ratios are before the group's. */
export interface PricedModel {
  readonly name: string;
  /** USD per call; undefined if priced by tokens. */
  readonly pricePerCall: number | undefined;
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  /** Tokens of prompt and answer together; 0 if unknown. */
  readonly contextWindow: number;
  /** The price in each group that serves it. */
  readonly prices: Record<string, ShownPrices>;
  /** Conditions under which the price differs. */
  readonly variants: readonly ShownVariant[];
}

/** The public list of prices. */
export interface Pricing {
  readonly models: readonly PricedModel[];
  /** Group → ratio and group → description, for the groups the visitor may use. */
  readonly groupRatios: Readonly<Record<string, number>>;
  readonly groupNames: Readonly<Record<string, string>>;
}

/** Prices for a user of this group; visitors (undefined) see those of the default group. */
export const pricingOf = (routing: Routing, userGroup: string = DEFAULT_GROUP): Pricing => {
  const names = Object.fromEntries(usableGroups(routing.options, userGroup));
  const groups = Object.keys(names).filter((group) => group !== AUTO_GROUP);
  const models: PricedModel[] = [];
  const groupRatios = Object.fromEntries(
    groups.map((group) => [group, groupRatio(routing.options, userGroup, group).ratio]),
  );
  for (const name of servedModels(routing)) {
    const open = Object.entries(groupRatios).filter(
      ([group]) => routing.tiers.get(group)?.has(name) === true,
    );
    const priced = open.length === 0 ? undefined : pricedModel(routing, name, open);
    if (priced !== undefined) models.push(priced);
  }
  return { models, groupNames: names, groupRatios };
};

/** The price before any group ratio; drawing and music have built-in prices. Undefined if there is none. */
export const plainPrice = (sources: PriceSources, name: string): Price | undefined =>
  (Object.hasOwn(taskPrices, name) ? taskPriceOf : findPrice)(sources, name, DEFAULT_GROUP, DEFAULT_GROUP);

/** A model without a price cannot be called, so it is not listed. */
const pricedModel = (
  routing: Routing,
  name: string,
  groupRatios: readonly (readonly [string, number])[],
): PricedModel | undefined => {
  const price = plainPrice(routing, name);
  if (price === undefined) return undefined;
  const { modelPrice, modelRatio, completionRatio, cacheRatio } = price.factors;
  const isByCall = modelPrice >= 0;
  return {
    name,
    pricePerCall: isByCall ? modelPrice : undefined,
    modelRatio: isByCall ? 0 : modelRatio,
    completionRatio: isByCall ? 0 : completionRatio,
    cacheRatio: isByCall ? 0 : cacheRatio,
    variants: shownVariants(price.factors.dimensions),
    contextWindow: routing.catalogue.find(name)?.contextWindow ?? 0,
    prices: Object.fromEntries(
      groupRatios.map(([group, ratio]) => [
        group,
        shownPrices({ ...price.factors, groupRatio: ratio }, price),
      ]),
    ),
  };
};

const shownPrices = (factors: PriceFactors, { quotaPerUnit }: Pick<Price, 'quotaPerUnit'>): ShownPrices => {
  const others = otherUsdPrices(factors, quotaPerUnit);
  return { ...usdPrices(factors, quotaPerUnit), ...(Object.keys(others).length > 0 && { others }) };
};

/** Served models without a configured or built-in price: nobody can call them. */
export const unpricedModels = (routing: Routing): string[] => {
  const options = { ...routing.options, SelfUseModeEnabled: optionTable.SelfUseModeEnabled.initial };
  const { catalogue } = routing;
  return servedModels(routing).filter((name) => plainPrice({ options, catalogue }, name) === undefined);
};
