import {
  type ContextPrice,
  firstToken,
  type PriceDimensions,
  type PricePart,
  priceParts,
  type PriceShares,
} from '#contract/options/price-dimensions.ts';
import { noUsage, promptTokens, type Usage } from '../chat/usage.ts';
import type { Exact } from './decimal.ts';
import { type Adjustment, type PriceBucket, priceBuckets } from './price-factors.ts';
import { hoursAt } from './price-hours.ts';
import { amountOf, type Price, priceFrom, quotaOf, wholeUnits } from './price.ts';
import { priceEntries } from './tool-prices.ts';
import { candidates, pricedWords, type Service, termNames } from './served-terms.ts';
import { type ServiceTerms, STANDARD } from './service-terms.ts';
import { ownOf } from '../json/fields.ts';

/** A part of a usage, with its price. */
export interface Portion {
  readonly price: Price;
  readonly usage: Usage;
}

/** One way to decide a price: the number of the context step (0 for none), and the service terms. */
interface Variant extends Required<ServiceTerms> {
  readonly step: number;
}

/** One factor for everything, or one for each part: the cache factors default to that of the input, others to 1. */
export const allShares = (shares: PriceShares): Record<PricePart, number> => {
  if (typeof shares === 'number')
    return Object.fromEntries(priceParts.map((part) => [part, shares])) as Record<PricePart, number>;
  const { input = 1, output = 1, cacheRead = input, cacheWrite = input, call = 1 } = shares;
  return { input, output, cacheRead, cacheWrite, call };
};

/** Prices derived from a price, by how they were decided. A price is made once for each routing, so these are, too. */
const made = new WeakMap<Price, Map<string, Price>>();

const remembered = (price: Price, key: string, make: () => Price): Price => {
  let known = made.get(price);
  if (known === undefined) made.set(price, (known = new Map()));
  let result = known.get(key);
  if (result === undefined) known.set(key, (result = make()));
  return result;
};

const adjustedBy = (price: Price, more: readonly Adjustment[], left: PriceDimensions = {}): Price => {
  const { dimensions: _, ...factors } = price.factors;
  const adjustments = [...(factors.adjustments ?? []), ...more];
  const rest = Object.keys(left).length > 0 && { dimensions: left };
  return priceFrom({ ...factors, adjustments, ...rest }, price.quotaPerUnit);
};

/** The price with its hours decided by the moment the call began. */
export const priceAt = (price: Price, beganMs: number): Price => {
  const { dimensions } = price.factors;
  if (dimensions?.hours === undefined) return price;
  const { hours, ...rest } = dimensions;
  const at = hoursAt(hours, beganMs);
  return remembered(price, `hours ${String(at)}`, () =>
    adjustedBy(price, [{ name: 'hours', of: allShares(hours[at]?.factor ?? 1) }], rest),
  );
};

const adjustmentsOf = (dimensions: PriceDimensions, variant: Variant): readonly Adjustment[] => {
  const adjustments: Adjustment[] = [];
  const step = dimensions.context?.steps[variant.step - 1];
  if (step !== undefined) adjustments.push({ name: 'contextStep', of: allShares(step) });
  const tier = ownOf(dimensions.tiers, variant.tier);
  const isStepOnly = step !== undefined && typeof tier === 'object' && tier.longContext === 'step';
  if (tier !== undefined && !isStepOnly) adjustments.push({ name: 'tier', of: allShares(tier) });
  const speed = ownOf(dimensions.speeds, variant.speed);
  if (speed !== undefined) adjustments.push({ name: 'speed', of: allShares(speed) });
  const place = ownOf(dimensions.places, variant.place);
  if (place !== undefined) adjustments.push({ name: 'place', of: allShares(place) });
  return adjustments;
};

const decided = (price: Price, dimensions: PriceDimensions, variant: Variant): Price => {
  // Words without a price of their own are not part of the key, because callers and upstreams can invent them.
  const named = termNames.map((name) =>
    ownOf(dimensions[`${name}s`], variant[name]) === undefined ? '' : variant[name],
  );
  const key = [variant.step, ...named].join('\n');
  return remembered(price, key, () => adjustedBy(price, adjustmentsOf(dimensions, variant)));
};

const countedTokens = (usage: Usage, counts: ContextPrice['counts']): number => {
  const prompt = promptTokens(usage);
  if (counts === 'prompt') return prompt;
  const unread = prompt - usage.cacheReadTokens;
  return counts === 'without_cache_reads'
    ? unread
    : unread - usage.cacheWrite5mTokens - usage.cacheWrite1hTokens;
};

/** How many steps this number of counted tokens reaches. */
const stepsReached = (context: ContextPrice | undefined, tokens: number): number =>
  context?.steps.filter((step) => tokens >= firstToken(step)).length ?? 0;

/** How many context steps a usage reaches. */
export const stepOf = (dimensions: PriceDimensions | undefined, usage: Usage): number => {
  const context = dimensions?.context;
  return context === undefined ? 0 : stepsReached(context, countedTokens(usage, context.counts));
};

const waysOf = (
  lists: readonly [readonly string[], readonly string[], readonly string[]],
  steps: readonly number[],
): readonly Variant[] =>
  steps.flatMap((step) =>
    lists[0].flatMap((tier) =>
      lists[1].flatMap((speed) => lists[2].map((place) => ({ step, tier, speed, place }))),
    ),
  );

/** The order of a prompt's tokens when it is split: cached ones come first. */
const promptOrder = [
  ['cacheReadTokens', 'without_cache_reads'],
  ['cacheWrite1hTokens', 'without_cache'],
  ['cacheWrite5mTokens', 'without_cache'],
  ['inputTokens', undefined],
  ['imageInputTokens', undefined],
  ['audioInputTokens', undefined],
] as const satisfies readonly (readonly [PriceBucket, ContextPrice['counts'] | undefined])[];

/**
 * Splits a prompt by context steps. Tokens that do not count towards steps, and all that is not prompt, belong to the
 * first portion.
 */
const splitAtSteps = (usage: Usage, { counts, steps }: ContextPrice): readonly Usage[] => {
  const prompts = steps.map(() => ({ ...noUsage, estimated: usage.estimated }));
  const first = { ...usage };
  let position = 0;
  for (const [bucket, leftOutBy] of promptOrder) {
    const isCounted =
      counts === 'prompt' ||
      leftOutBy === undefined ||
      (leftOutBy === 'without_cache' && counts === 'without_cache_reads');
    if (!isCounted) continue;
    const end = position + usage[bucket];
    for (const [at, step] of steps.entries()) {
      const next = steps[at + 1];
      const from = Math.max(position, firstToken(step) - 1);
      const to = Math.min(end, next === undefined ? Infinity : firstToken(next) - 1);
      const prompt = prompts[at];
      if (to <= from || prompt === undefined) continue;
      prompt[bucket] = to - from;
      first[bucket] -= to - from;
    }
    position = end;
  }
  return [first, ...prompts];
};

const portionsIn = (
  price: Price,
  dimensions: PriceDimensions,
  usage: Usage,
  terms: Required<ServiceTerms>,
): readonly Portion[] => {
  const { context } = dimensions;
  const reached = stepOf(dimensions, usage);
  if (context?.charges !== 'excess' || reached === 0 || price.perToken === undefined)
    return [{ price: decided(price, dimensions, { ...terms, step: reached }), usage }];
  return splitAtSteps(usage, context)
    .map((part, step) => ({ price: decided(price, dimensions, { ...terms, step }), usage: part }))
    .filter((portion, step) => step === 0 || promptTokens(portion.usage) > 0);
};

/** The exact sum of an amount of each portion, which has as many decimals as the portion's price. */
export const sumOfPortions = (
  portions: readonly Portion[],
  amountEach: (portion: Portion) => bigint,
): Exact & { readonly places: number } => {
  const places = Math.max(0, ...portions.map(({ price }) => price.places));
  let amount = 0n;
  for (const portion of portions)
    amount += amountEach(portion) * 10n ** BigInt(places - portion.price.places);
  return { amount, places, scale: 10n ** BigInt(places) };
};

/** The exact sum of the portions' prices, and the number of decimals it has. */
export const amountOfAll = (portions: readonly Portion[]): Exact & { readonly places: number } =>
  sumOfPortions(portions, ({ price, usage }) => amountOf(price, usage));

/** The sum of all portions in whole units, rounded once; undefined if it is more than a balance can hold. */
const quotaOfAll = (portions: readonly Portion[]): number | undefined => {
  const { amount, scale } = amountOfAll(portions);
  return wholeUnits(amount, { scale });
};

type Weigh = (portions: readonly Portion[]) => Exact;

/**
 * Splits a usage into portions with their prices. If neither upstream nor request decides a dimension, the dearest
 * variant counts. A price without dimensions is returned unchanged.
 * @param weigh how dear a variant is
 */
export const portionsOf = (
  price: Price,
  usage: Usage,
  service: Service = {},
  weigh: Weigh = amountOfAll,
): readonly Portion[] => {
  const { dimensions } = price.factors;
  if (dimensions === undefined) return [{ price, usage }];
  const lists = termNames.map((name) => candidates(dimensions, service, name)) as [
    string[],
    string[],
    string[],
  ];
  const ways = waysOf(lists, [0]).map((terms) => portionsIn(price, dimensions, usage, terms));
  return ways.reduce((dearest, way) => (isDearer(weigh(way), weigh(dearest)) ? way : dearest));
};

/** Compares exactly: rounded to units, variants of a small call would be equal. */
const isDearer = (one: Exact, other: Exact): boolean => one.amount * other.scale > other.amount * one.scale;

/**
 * The price of a usage in whole units, in the variant that applies; undefined if it is more than a balance can hold.
 */
export const quotaAt = (price: Price, usage: Usage, service?: Service): number | undefined =>
  price.factors.dimensions === undefined
    ? quotaOf(price, usage)
    : quotaOfAll(portionsOf(price, usage, service));

/**
 * A price that no charge within these limits exceeds, for the hold: each part costs as much as in the dearest variant
 * the call can reach. `sent` lists all terms the request may be sent with. A price without dimensions is returned
 * unchanged.
 */
export const ceilingOf = (price: Price, promptMost: number, sent: readonly ServiceTerms[] = []): Price => {
  const { dimensions } = price.factors;
  if (dimensions === undefined) return price;
  const lists = termNames.map((name) => {
    const table = dimensions[`${name}s`];
    // If no word has a price, all cost the same. Leave them out: callers can invent words, and each would be
    // remembered.
    const words = table === undefined ? [] : sent.map((terms) => terms[name] ?? STANDARD);
    return [...new Set([STANDARD, ...words.flatMap((word) => pricedWords(table, word))])];
  }) as [string[], string[], string[]];
  const reached = stepsReached(dimensions.context, promptMost);
  const key = ['most', reached, ...lists.map((words) => words.join(' '))].join('\n');
  return remembered(price, key, () => {
    const steps = Array.from({ length: reached + 1 }, (_, step) => step);
    return dearestOf(
      price,
      waysOf(lists, steps).map((variant) => decided(price, dimensions, variant)),
    );
  });
};

const dearestOf = (price: Price, variants: readonly Price[]): Price => {
  const places = Math.max(0, ...variants.map((variant) => variant.places));
  const most = (each: (variant: Price) => bigint): bigint =>
    variants.reduce((dearest, variant) => {
      const units = each(variant) * 10n ** BigInt(places - variant.places);
      return units > dearest ? units : dearest;
    }, 0n);
  const { dimensions: _, ...factors } = price.factors;
  const ofBuckets = priceBuckets.map(
    (bucket) => [bucket, most(({ perToken }) => perToken?.[bucket] ?? 0n)] as const,
  );
  return {
    ...price,
    factors,
    places,
    scale: 10n ** BigInt(places),
    perToken: price.perToken && (Object.fromEntries(ofBuckets) as Record<PriceBucket, bigint>),
    perCall: most(({ perCall }) => perCall),
    perTool: Object.fromEntries(
      priceEntries(price.perTool).map(([tool]) => [tool, most(({ perTool }) => perTool[tool] ?? 0n)]),
    ),
  };
};
