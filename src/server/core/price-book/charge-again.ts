import type { Usage } from '../chat/usage.ts';
import { priceOfAsked } from '../quota/media-price.ts';
import { priceBuckets } from '../quota/price-factors.ts';
import { plainOf, plainUnits } from '../quota/plain-price.ts';
import { priceAt, portionsOf, quotaAt, stepOf } from '../quota/price-variants.ts';
import { isDecided, type Service } from '../quota/served-terms.ts';
import { findPrice, type Price, type PriceSources, timesPerCall } from '../quota/price.ts';
import { type PricedKind, usageOf } from './priced-call.ts';
import { MINUTE_MS } from '../time/spans.ts';

/**
 * Charges a call by a fixed price, in whole units; undefined if there is no price, or the amount is more than a balance
 * can hold. `counts` are the buckets in their order, `tools` the text of the tool calls.
 */
export type ChargeAgain = (counts: readonly number[], tools: string, atMs: number) => number | undefined;

/** Log rows omit the media terms if their price did not depend on them. */
const NOT_ASKED = { words: [] };

/** The price of one of each bucket, in their order, in doubles. */
interface Plain {
  readonly each: readonly number[];
  readonly perCall: number;
  readonly scale: number;
}

const inOrder = (price: Price): Plain | undefined => {
  const plain = plainOf(price);
  return plain && { ...plain, each: priceBuckets.map((bucket) => plain.perToken[bucket]) };
};

/** Like `quotaOf`; undefined if the amount does not fit into a double. */
const quotaOfCounts = ({ each, perCall, scale }: Plain, counts: readonly number[]): number | undefined => {
  let amount = perCall;
  for (let at = 0; at < counts.length; at += 1) amount += (counts[at] ?? 0) * (each[at] ?? 0);
  return plainUnits(amount, scale);
};

/** For a call charged in self-use mode: sources that also price models without a price. */
const sourcesOf = ({ options, catalogue }: PriceSources, { isSelfUse }: PricedKind): PriceSources =>
  isSelfUse ? { options: { ...options, SelfUseModeEnabled: true }, catalogue } : { options, catalogue };

/** Whether both sources price this kind of call the same, so that it need be charged only once. */
export const areAlike = (
  one: PriceSources,
  other: PriceSources,
  model: string,
  group: string,
  kind: PricedKind,
): boolean => {
  const factorsIn = (sources: PriceSources): string =>
    JSON.stringify([
      findPrice(sourcesOf(sources, kind), model, kind.userGroup, group)?.factors,
      sources.options.QuotaPerUnit,
    ]);
  return factorsIn(one) === factorsIn(other);
};

/**
 * Charges calls of one kind by these prices, with the same rule as real calls. What all of them share is computed once.
 */
export const chargerOf = (
  sources: PriceSources,
  model: string,
  group: string,
  kind: PricedKind,
): ChargeAgain => {
  const { userGroup, times, media = NOT_ASKED, service } = kind;
  const found = findPrice(sourcesOf(sources, kind), model, userGroup, group);
  if (found === undefined) return () => undefined;
  const price = priceOfAsked(timesPerCall(found, times), media);
  if (price.factors.dimensions?.hours === undefined) return chargerAt(price, service);
  const chargers = new Map<Price, ChargeAgain>();
  let minute = -1;
  let charge: ChargeAgain | undefined;
  return (counts, tools, atMs) => {
    const at = Math.floor(atMs / MINUTE_MS);
    if (charge === undefined || at !== minute) {
      minute = at;
      const decided = priceAt(price, atMs);
      charge = chargers.get(decided);
      if (charge === undefined) chargers.set(decided, (charge = chargerAt(decided, service)));
    }
    return charge(counts, tools, atMs);
  };
};

/** Charges at a price whose hours are already decided. */
const chargerAt = (price: Price, service: Service): ChargeAgain => {
  const exactly: ChargeAgain = (counts, tools) => quotaAt(price, usageOf(counts, tools), service);
  const { dimensions } = price.factors;
  // Prices that apply to a part of the prompt only, or to the dearest of several variants, must be computed per call.
  const isOfSteps = dimensions?.context?.charges !== 'excess' && isDecided(price, service);
  if (dimensions !== undefined && !isOfSteps) return exactly;
  const hasSteps = dimensions?.context !== undefined;
  const plains: (Plain | 'exactly' | undefined)[] = [];
  return (counts, tools, atMs) => {
    if (tools !== '') return exactly(counts, tools, atMs);
    const step = hasSteps ? stepOf(dimensions, usageOf(counts, tools)) : 0;
    const plain = (plains[step] ??= plainFor(price, service, usageOf(counts, tools)));
    return (plain === 'exactly' ? undefined : quotaOfCounts(plain, counts)) ?? exactly(counts, tools, atMs);
  };
};

/** The price for this usage and all others that reach the same context step. */
const plainFor = (price: Price, service: Service, usage: Usage): Plain | 'exactly' => {
  const [portion] = portionsOf(price, usage, service);
  return (portion && inOrder(portion.price)) ?? 'exactly';
};
