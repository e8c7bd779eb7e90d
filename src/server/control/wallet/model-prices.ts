import { AUTO_GROUP, DEFAULT_GROUP } from '#contract/codes.ts';
import type { modelPrice } from '#contract/api/wallet/model-prices.ts';
import { dollarsOf, dollarsOfRatio } from '#contract/model-dollars.ts';
import { DEFAULT_CREATE_CACHE_RATIO, type priceOrigins } from '#contract/price-factors.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import { initialOptions } from '#contract/options.ts';
import { findPrice, type Price } from '#core/quota/price.ts';
import { isOutputUntold } from '#core/quota/untold-parts.ts';
import { usdPrices } from '#core/quota/usd-prices.ts';
import type { z } from 'zod';
import { servedModels } from '../people/usable-groups.ts';
import { plainPrice } from './pricing.ts';
import { shownVariants } from './shown-variants.ts';
import { ownOf } from '#core/json/fields.ts';

export type ModelPrice = z.infer<typeof modelPrice>;

/** Where a model's price comes from. */
export type PriceOrigin = (typeof priceOrigins)[number];

/** Which prices to list. Empty texts do not filter. */
export interface PriceQuestion extends PageRequest {
  readonly keyword: string;
  readonly origin: PriceOrigin | '';
  readonly group: string;
}

/** A page of prices, with the number of prices of each origin. */
export interface ModelPricePage extends Page<ModelPrice> {
  readonly counts: Readonly<Record<PriceOrigin, number>>;
}

/** The options that store prices, by the field that shows them. */
export const priceTables = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completion_ratio: 'CompletionRatio',
  cache_ratio: 'CacheRatio',
  create_cache_ratio: 'CreateCacheRatio',
} as const;

/** The ratios of a price; null if it is one per call. */
const ratiosOf = ({ factors }: Price): ModelPrice['ratios'] =>
  factors.modelPrice >= 0
    ? null
    : {
        model: factors.modelRatio,
        completion: factors.completionRatio,
        cache: factors.cacheRatio,
        create_cache: factors.createCacheRatio,
      };

/** A price in dollars before any group ratio. */
const dollars = (price: Price): NonNullable<ModelPrice['usd']> => {
  const { factors, quotaPerUnit } = price;
  const ratios = ratiosOf(price);
  if (ratios === null) {
    const usd = usdPrices({ ...factors, groupRatio: 1, userGroupRatio: -1 }, quotaPerUnit);
    return { call: 'call' in usd ? usd.call : 0 };
  }
  const { input, output, cacheRead, cacheWrite } = dollarsOf(ratios, dollarsOfRatio(quotaPerUnit));
  return {
    input,
    output,
    cache_read: factors.cacheRatio === 1 ? null : cacheRead,
    cache_write: factors.writesCache ? cacheWrite : null,
  };
};

/** The ratios that apply to what the operator leaves out when setting a model's input price. */
const usualRatios = ({ catalogue, options }: Routing, model: string): ModelPrice['usual'] => {
  const set = { ...initialOptions, QuotaPerUnit: options.QuotaPerUnit, ModelRatio: { [model]: 1 } };
  const price = findPrice({ catalogue, options: set }, model, DEFAULT_GROUP, DEFAULT_GROUP);
  return { ...UNKNOWN, ...(price && ratiosOf(price)), model: null };
};

/** The changed models whose output is sold at the price of input because no output price is known. */
export const soldAsInput = (
  { catalogue, options }: Routing,
  models: readonly (ModelPrice['set'] & { readonly model: string })[],
): string[] =>
  models
    .filter(({ model, ratio, completion_ratio: output }) => {
      if (ratio === null || output !== null) return false;
      const set = { ...options, ModelPrice: {}, ModelRatio: { [model]: ratio }, CompletionRatio: {} };
      return isOutputUntold({ catalogue, options: set }, model);
    })
    .map(({ model }) => model);

const UNKNOWN = { completion: 1, cache: 1, create_cache: DEFAULT_CREATE_CACHE_RATIO };

/** The ratios and the catalogue price that apply to a model if the operator has set nothing. */
const unsetTerms = (routing: Routing, model: string): Pick<ModelPrice, 'usual' | 'catalogue'> => {
  const { catalogue, options } = routing;
  const sources = { catalogue, options: { ...initialOptions, QuotaPerUnit: options.QuotaPerUnit } };
  const price = findPrice(sources, model, DEFAULT_GROUP, DEFAULT_GROUP);
  const ratios = price && ratiosOf(price);
  const usd = price && dollars(price);
  return {
    usual: ratios ?? usualRatios(routing, model),
    catalogue: usd === undefined || 'call' in usd ? null : usd,
  };
};

const originOf = (price: Price | undefined): PriceOrigin => {
  if (price === undefined || price.factors.source === 'self-use') return 'unset';
  return price.factors.source === 'option' ? 'own' : 'catalogue';
};

const rowOf = (routing: Routing, model: string, groups: readonly string[]): ModelPrice => {
  const price = plainPrice(routing, model);
  const tableOf = (name: (typeof priceTables)[keyof typeof priceTables]) => routing.options[name];
  const set = (name: keyof typeof priceTables): number | null => {
    const table = tableOf(priceTables[name]);
    return ownOf(table, model) ?? null;
  };
  return {
    model,
    // Drawing and music have built-in prices, which the option replaces.
    origin:
      set('price') === null && price?.perToken === undefined && price !== undefined
        ? 'catalogue'
        : originOf(price),
    usd: price === undefined ? null : dollars(price),
    set: {
      price: set('price'),
      ratio: set('ratio'),
      completion_ratio: set('completion_ratio'),
      cache_ratio: set('cache_ratio'),
      create_cache_ratio: set('create_cache_ratio'),
    },
    ratios: price === undefined ? null : ratiosOf(price),
    output_as_input: isOutputUntold(routing, model),
    ...unsetTerms(routing, model),
    variants: shownVariants(price?.factors.dimensions).length,
    version: routing.priceVersion,
    groups: [...groups],
  };
};

const groupsByModel = (routing: Routing): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, string[]>();
  for (const [group, models] of routing.tiers)
    if (group !== AUTO_GROUP)
      for (const model of models.keys()) {
        const known = groups.get(model);
        if (known === undefined) groups.set(model, [group]);
        else known.push(group);
      }
  return groups;
};

/** The rows of a configuration, cached because both are immutable. */
const known = new WeakMap<Routing, readonly ModelPrice[]>();

/** Every offered model with its price, by name. */
const modelPricesOf = (routing: Routing): readonly ModelPrice[] => {
  const before = known.get(routing);
  if (before !== undefined) return before;
  const groups = groupsByModel(routing);
  const rows = servedModels(routing)
    .toSorted()
    .map((model) => rowOf(routing, model, groups.get(model) ?? []));
  known.set(routing, rows);
  return rows;
};

const rank: Readonly<Record<PriceOrigin, number>> = { unset: 0, own: 1, catalogue: 2 };

/** The value to sort a row by; undefined if it has none: such rows come last. */
const sortValue = ({ usd, origin }: ModelPrice, sort: string): number | undefined => {
  if (sort === 'origin') return rank[origin];
  if (usd === null) return undefined;
  if ('call' in usd) return sort === 'input' ? usd.call : undefined;
  if (sort === 'input') return usd.input;
  if (sort === 'output') return usd.output;
  return (sort === 'cache_read' ? usd.cache_read : usd.cache_write) ?? undefined;
};

const byQuestion =
  ({ sort: asked }: Pick<PriceQuestion, 'sort'>) =>
  (one: ModelPrice, other: ModelPrice): number => {
    if (asked === undefined) return Number(other.origin === 'unset') - Number(one.origin === 'unset');
    const { key: sort, isDescending } = asked;
    const sign = isDescending ? -1 : 1;
    if (sort === 'model') return sign * (one.model < other.model ? -1 : 1);
    const [left, right] = [sortValue(one, sort), sortValue(other, sort)];
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined);
    return sign * (left - right);
  };

/** A page of the offered models with their prices; those without a price come first unless an order is requested. */
export const modelPricePage = (routing: Routing, question: PriceQuestion): ModelPricePage => {
  const rows = modelPricesOf(routing);
  const counts = { unset: 0, own: 0, catalogue: 0 };
  for (const { origin } of rows) counts[origin] += 1;
  const words = question.keyword.trim().toLowerCase();
  const found = rows.filter(
    ({ model, origin, groups }) =>
      model.toLowerCase().includes(words) &&
      (question.origin === '' || origin === question.origin) &&
      (question.group === '' || groups.includes(question.group)),
  );
  const from = (question.page - 1) * question.pageSize;
  const sorted = found.toSorted(byQuestion(question));
  return { items: sorted.slice(from, from + question.pageSize), total: found.length, counts };
};
