import type { DailyAllowance } from '#contract/channel/daily-allowance.ts';
import { roundedHalfUp } from '../quota/decimal.ts';

/** One day of a free allowance, by which its use is counted. */
export interface AllowanceDay {
  /** The day of its zone, as `localDay` numbers it. */
  readonly day: number;
  /** 0 if channels share it by its name. */
  readonly channelId: number;
  /** 0 if the keys of the channel share it. */
  readonly keyId: number;
  readonly unit: DailyAllowance['of'];
  readonly name: string;
}

/** What one call, or several alike, use of an allowance: tokens, calls, or billionths of a US dollar. */
export interface AllowanceUse extends AllowanceDay {
  readonly amount: number;
  /** The size of the daily allowance. */
  readonly limit: number;
  /** The part of the calls' cost that the allowance never covers; undefined if not known. */
  readonly besideNano: number | undefined;
  /** What the call was sold for, if it is marked as sold below its cost. */
  readonly soldNano?: number | undefined;
}

/** How much of a use is free if this much of the day's allowance was given before. */
export const freeOf = ({ amount, limit }: AllowanceUse, given: number): number =>
  Math.min(amount, Math.max(0, limit - given));

/**
 * The cost of a use of which this much is free: its share of the cost, rounded once. A use that is free as a whole
 * costs 0 even if no price is known.
 */
export const costBeyond = (
  { amount, besideNano }: AllowanceUse,
  costNano: number | undefined,
  free: number,
): number | undefined => {
  if (free === 0) return costNano;
  if (free === amount) return besideNano;
  if (costNano === undefined || besideNano === undefined) return undefined;
  const beyond = BigInt(costNano - besideNano) * BigInt(amount - free);
  return besideNano + Number(roundedHalfUp(beyond, BigInt(amount)));
};
