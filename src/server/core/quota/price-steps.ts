import type { PaidTool } from '#contract/options/tool-prices.ts';
import type { Usage } from '../chat/usage.ts';
import { decimalText } from './decimal.ts';
import { type Price, type PriceBucket, priceBuckets } from './price.ts';
import { priceEntries } from './tool-prices.ts';

/** One line of a price worked out: so many tokens, or calls, at so many units each. */
export interface PriceStep {
  readonly bucket: PriceBucket | PaidTool | 'call';
  readonly count: number;
  readonly unitsEach: string;
  readonly units: string;
}

/** How `quotaOf` arrives at its number, bucket by bucket, as exact decimals; their sum is rounded. */
export const priceSteps = (price: Price, usage: Usage): PriceStep[] => {
  const { perToken, unitsEach, places, perTool } = price;
  const steps: PriceStep[] = [];
  if (perToken === undefined)
    steps.push({ bucket: 'call', count: 1, unitsEach: unitsEach.call, units: unitsEach.call });
  for (const bucket of perToken === undefined ? [] : priceBuckets) {
    const count = usage[bucket];
    if (count === 0) continue;
    const units = decimalText(BigInt(count) * (perToken?.[bucket] ?? 0n), places);
    steps.push({ bucket, count, unitsEach: unitsEach[bucket], units });
  }
  for (const [bucket, count] of priceEntries(usage.toolCalls)) {
    const each = perTool[bucket] ?? 0n;
    const units = decimalText(BigInt(count) * each, places);
    steps.push({ bucket, count, unitsEach: decimalText(each, places), units });
  }
  return steps;
};
