import type { ModelCost, TokenCost } from '#contract/channel/channel-cost.ts';
import { NANO_PER_USD } from '#contract/limits.ts';
import type { Usage } from '../chat/usage.ts';
import { decimal, type Exact, ONE } from '../quota/decimal.ts';
import { type PriceBucket, priceBuckets, type PriceFactors } from '../quota/price-factors.ts';
import { type Portion, portionsOf, priceAt, sumOfPortions } from '../quota/price-variants.ts';
import { type Price, priceFrom } from '../quota/price.ts';
import { priceOfMediaIfRead } from '../quota/media-price.ts';
import type { Bought } from './bought.ts';

/** A model's costs by the channel's own table, in billionths of the currency, as whole numbers of 1 / ONE. */
export interface OwnCosts {
  readonly perToken: Readonly<Record<PriceBucket, bigint | undefined>> | undefined;
  readonly perCall: bigint;
  /** A price whose parts are all 1. What its dimensions make of a part is the factor for that part of the costs. */
  readonly shares: Price;
}

const NANO = BigInt(NANO_PER_USD);
const NANO_PER_MILLIONTH = NANO / 1_000_000n;

/** Every part of a price is 1. */
const ALIKE: Omit<PriceFactors, 'modelRatio' | 'modelPrice'> = {
  completionRatio: 1,
  cacheRatio: 1,
  audioCacheSurcharge: 1,
  imageCacheSurcharge: 1,
  createCacheRatio: 1,
  oneHour: 1,
  imageRatio: 1,
  imageCompletionRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 1,
  groupRatio: 1,
  userGroupRatio: -1,
  source: 'option',
  writesCache: true,
};

/** The costs of a model as the table has them. */
export const ownCosts = (own: ModelCost): OwnCosts => {
  const isByCall = 'call' in own;
  const { dimensions } = own;
  const factors: PriceFactors = {
    ...ALIKE,
    modelRatio: isByCall ? -1 : 1,
    modelPrice: isByCall ? 1 : -1,
    ...(dimensions !== undefined && { dimensions }),
  };
  return {
    perToken: isByCall ? undefined : tokenCosts(own),
    perCall: isByCall ? decimal(own.call) * NANO : 0n,
    shares: priceFrom(factors, 1),
  };
};

/** What a use costs by the table, without tools; undefined if the table has no price of something that was used. */
export const amountOwned = (own: OwnCosts, bought: Bought): Exact | undefined => {
  const { usage, service, times, atMs, body = {} } = bought;
  const { perToken } = own;
  const isKnown = priceBuckets.every((bucket) => usage[bucket] === 0 || perToken?.[bucket] !== undefined);
  if (perToken !== undefined && !isKnown) return undefined;
  // A finished call has to be settled, even if nobody knows how many seconds were requested.
  const decided = priceOfMediaIfRead(own.shares, body);
  if (decided === undefined) return undefined;
  const shares = priceAt(decided, atMs);
  const portions = portionsOf(shares, usage, service, (of) => sumOf(own, of));
  const { amount, scale } = sumOf(own, portions);
  return perToken === undefined ? { amount: amount * decimal(times), scale: scale * ONE } : { amount, scale };
};

const sumOf = ({ perToken, perCall }: OwnCosts, portions: readonly Portion[]): Exact => {
  const { amount, scale } = sumOfPortions(portions, ({ price: shares, usage }) =>
    perToken === undefined ? perCall * shares.perCall : costOfTokens(perToken, usage, shares),
  );
  return { amount, scale: ONE * scale };
};

const costOfTokens = (perToken: NonNullable<OwnCosts['perToken']>, usage: Usage, shares: Price): bigint => {
  let amount = 0n;
  for (const bucket of priceBuckets)
    if (usage[bucket] !== 0)
      amount += BigInt(usage[bucket]) * (perToken[bucket] ?? 0n) * (shares.perToken?.[bucket] ?? 1n);
  return amount;
};

const tokenCosts = (own: TokenCost): NonNullable<OwnCosts['perToken']> => {
  const each = (perMillion: number): bigint => decimal(perMillion) * NANO_PER_MILLIONTH;
  const given = (perMillion: number | undefined): bigint | undefined =>
    perMillion === undefined ? undefined : each(perMillion);
  const cached = each(own.cache_read ?? own.input);
  return {
    inputTokens: each(own.input),
    cacheReadTokens: cached,
    // How much more, or less, they cost than other cached tokens.
    audioCacheReadTokens: (given(own.audio_cache_read) ?? cached) - cached,
    imageCacheReadTokens: (given(own.image_cache_read) ?? cached) - cached,
    cacheWrite5mTokens: each(own.cache_write ?? own.input),
    cacheWrite1hTokens: each(own.cache_write_1h ?? own.cache_write ?? own.input),
    imageInputTokens: each(own.image_input ?? own.input),
    outputTokens: each(own.output),
    audioInputTokens: given(own.audio_input),
    audioOutputTokens: given(own.audio_output),
    imageOutputTokens: given(own.image_output),
  };
};
