import { AUTO_GROUP, DEFAULT_GROUP } from '#contract/codes.ts';
import { optionTable } from '#contract/options.ts';
import type { Routing } from '#core/channel/routing.ts';
import { findPrice, groupRatio, type Price, type PriceSources } from '#core/quota/price.ts';
import { taskPriceOf, taskPrices } from '#core/task/task-price.ts';
import { servedModels, usableGroups } from './usable-groups.ts';

/** What one model costs, before the group's ratio. */
export interface PricedModel {
  readonly name: string;
  /** USD for one call; undefined where it is priced by tokens. */
  readonly pricePerCall: number | undefined;
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  /** Tokens of prompt and answer together; 0 where nobody has told. */
  readonly contextWindow: number;
  readonly groups: readonly string[];
}

export interface Pricing {
  readonly models: readonly PricedModel[];
  /** Group → ratio, and group → description, of the groups the visitor may use. */
  readonly groupRatios: Readonly<Record<string, number>>;
  readonly groupNames: Readonly<Record<string, string>>;
}

/** Prices for a user of this group; for visitors (undefined) as one of the default group sees them. */
export const pricingOf = (routing: Routing, userGroup: string = DEFAULT_GROUP): Pricing => {
  const names = Object.fromEntries(usableGroups(routing.options, userGroup));
  const groups = Object.keys(names).filter((group) => group !== AUTO_GROUP);
  const models: PricedModel[] = [];
  for (const name of servedModels(routing)) {
    const open = groups.filter((group) => routing.tiers.get(group)?.has(name) === true);
    const priced = open.length === 0 ? undefined : pricedModel(routing, name, open);
    if (priced !== undefined) models.push(priced);
  }
  return {
    models,
    groupNames: names,
    groupRatios: Object.fromEntries(
      groups.map((group) => [group, groupRatio(routing.options, userGroup, group).ratio]),
    ),
  };
};

/** What is charged before any group's ratio: drawings and music have built-in prices of their own. Undefined where nothing is. */
const plainPrice = (sources: PriceSources, name: string): Price | undefined =>
  (Object.hasOwn(taskPrices, name) ? taskPriceOf : findPrice)(sources, name, DEFAULT_GROUP, DEFAULT_GROUP);

/** A model without any price cannot be called, and is not offered. */
const pricedModel = (routing: Routing, name: string, groups: readonly string[]): PricedModel | undefined => {
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
    contextWindow: routing.catalogue.find(name)?.contextWindow ?? 0,
    groups,
  };
};

/** Served models that have neither a price nor a ratio, set or built in: nobody can call them. */
export const unpricedModels = (routing: Routing): string[] => {
  const options = { ...routing.options, SelfUseModeEnabled: optionTable.SelfUseModeEnabled.initial };
  const { catalogue } = routing;
  return servedModels(routing).filter((name) => plainPrice({ options, catalogue }, name) === undefined);
};
