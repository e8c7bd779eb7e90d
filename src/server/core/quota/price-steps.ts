import type { Usage } from '../chat/usage.ts';
import { decimalText } from './decimal.ts';
import { type PriceBucket, priceBuckets } from './price-factors.ts';
import { amountOfAll, type Portion } from './price-variants.ts';
import { type Price, type PricedPart, type UnitPrice, wholeUnits } from './price.ts';
import { priceEntries } from './tool-prices.ts';

/** One line of a receipt: a number of tokens or calls, the units of each, and their product. */
interface PriceStep extends UnitPrice {
  readonly bucket: PricedPart;
  readonly count: number;
  readonly units: string;
}

/** How a price came about, line by line. It contains everything that is shown, so readers need not compute anything. */
export interface PriceReceipt {
  readonly price_steps: readonly PriceStep[];
  /** The exact sum of the lines. */
  readonly price_sum: string;
  /** The sum, rounded as `quotaOf` does; null if it is more than a balance can hold. */
  readonly price_units: number | null;
}

const FREE: UnitPrice = { factors: { perThousandCalls: '0' }, unitsEach: '0' };

/** The receipt of a usage at one price: its lines are exact decimals, and their sum is rounded once. */
export const receiptOf = (price: Price, usage: Usage): PriceReceipt => receiptOfAll([{ price, usage }]);

/** The receipt of a usage whose portions have different prices, such as tokens beyond a context step. */
export const receiptOfAll = (portions: readonly Portion[]): PriceReceipt => {
  const { amount, places, scale } = amountOfAll(portions);
  return {
    price_steps: portions.flatMap(stepsOf),
    price_sum: decimalText(amount, places),
    price_units: wholeUnits(amount, { scale }) ?? null,
  };
};

/** What this usage has that costs as text only because nobody has said what it costs. */
export const bucketsAsText = ({ factors }: Price, usage: Usage): readonly PriceBucket[] => {
  // Without text in the prompt, as in a transcription, the operator has set the price for exactly this use.
  const hasWords = usage.inputTokens + usage.cacheReadTokens > 0;
  return hasWords ? (factors.soldAsText?.filter((bucket) => usage[bucket] > 0) ?? []) : [];
};

const stepsOf = ({ price, usage }: Portion): readonly PriceStep[] => {
  const { perToken, perCall, perTool, places, unitPrices } = price;
  const steps: PriceStep[] = [];
  const asText = bucketsAsText(price, usage);
  const add = (bucket: PricedPart, count: number, each: bigint = 0n): void => {
    if (count === 0) return;
    const units = decimalText(BigInt(count) * each, places);
    const { factors, unitsEach } = unitPrices[bucket] ?? FREE;
    const isAsText = asText.some((one) => one === bucket);
    steps.push({
      bucket,
      count,
      factors: isAsText ? { ...factors, asText: '1' } : factors,
      unitsEach,
      units,
    });
  };
  if (perToken === undefined) add('call', 1, perCall);
  else for (const bucket of priceBuckets) add(bucket, usage[bucket], perToken[bucket]);
  for (const [tool, count] of priceEntries(usage.toolCalls)) add(tool, count, perTool[tool]);
  return steps;
};
