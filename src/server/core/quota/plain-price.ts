import type { Usage } from '../chat/usage.ts';
import { type PriceBucket, priceBuckets } from './price-factors.ts';

/*
 * Almost every amount fits into a double, which adds up many times as fast as big integers do. So amounts are computed
 * in doubles where every number is whole and below 2^53, which is exact, and in big integers where one is not.
 */

/** What amounts are computed from: the numbers of a price in big integers. */
interface BigPrice {
  readonly perToken: Readonly<Record<PriceBucket, bigint>> | undefined;
  readonly perCall: bigint;
  readonly scale: bigint;
}

/** A price whose numbers are whole and below 2^53. */
export interface PlainPrice {
  readonly perToken: Readonly<Record<PriceBucket, number>>;
  readonly perCall: number;
  readonly scale: number;
}

const known = new WeakMap<BigPrice, PlainPrice | 'big'>();

/** The price in doubles; undefined if one of its numbers is too big. Worked out once for each price. */
export const plainOf = (price: BigPrice): PlainPrice | undefined => {
  let plain = known.get(price);
  if (plain === undefined) known.set(price, (plain = inDoubles(price)));
  return plain === 'big' ? undefined : plain;
};

const inDoubles = ({ perToken, perCall, scale }: BigPrice): PlainPrice | 'big' => {
  const each = priceBuckets.map((bucket) => [bucket, Number(perToken?.[bucket] ?? 0n)] as const);
  const plain = {
    perToken: Object.fromEntries(each) as Record<PriceBucket, number>,
    perCall: Number(perCall),
    scale: Number(scale),
  };
  const numbers = [...Object.values(plain.perToken), plain.perCall, plain.scale];
  return numbers.every(Number.isSafeInteger) ? plain : 'big';
};

/** Like `amountOf`; undefined if the amount does not fit into a double, or is of tools too. */
export const plainAmount = (price: BigPrice, usage: Usage): number | undefined => {
  const plain = usage.toolCalls === undefined ? plainOf(price) : undefined;
  if (plain === undefined) return undefined;
  const { perToken, perCall } = plain;
  const amount =
    perCall +
    usage.inputTokens * perToken.inputTokens +
    usage.cacheReadTokens * perToken.cacheReadTokens +
    usage.cacheWrite5mTokens * perToken.cacheWrite5mTokens +
    usage.cacheWrite1hTokens * perToken.cacheWrite1hTokens +
    usage.imageInputTokens * perToken.imageInputTokens +
    usage.audioInputTokens * perToken.audioInputTokens +
    usage.outputTokens * perToken.outputTokens +
    usage.audioOutputTokens * perToken.audioOutputTokens +
    usage.imageOutputTokens * perToken.imageOutputTokens +
    usage.audioCacheReadTokens * perToken.audioCacheReadTokens +
    usage.imageCacheReadTokens * perToken.imageCacheReadTokens;
  return isExact(amount) ? amount : undefined;
};

/** A sum below 2^53 of numbers of 0 or more has only parts below it, so all of them are exact. */
const isExact = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0;

/** Like `quotaOf`; undefined as above. */
export const plainQuota = (price: BigPrice, usage: Usage): number | undefined => {
  const amount = plainAmount(price, usage);
  return amount === undefined ? undefined : plainUnits(amount, Number(price.scale));
};

/** Like `wholeUnits`; undefined if the amount is not exact. */
export const plainUnits = (amount: number, scale: number): number | undefined => {
  if (amount === 0) return 0;
  if (!isExact(amount)) return undefined;
  const rest = amount % scale;
  const whole = (amount - rest) / scale;
  return Math.max(1, rest * 2 >= scale ? whole + 1 : whole);
};
