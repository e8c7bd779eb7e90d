import type { Usage } from '../chat/usage.ts';
import { decimalText } from './decimal.ts';
import { type PriceBucket, priceBuckets } from './price-factors.ts';
import { amountOfAll, type Portion } from './price-variants.ts';
import { plainAmount } from './plain-price.ts';
import {
  amountOf,
  type Price,
  type PricedPart,
  quotaOf,
  type UnitPrice,
  unitPriceText,
  wholeUnits,
} from './price.ts';
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

const FREE = unitPriceText({ factors: { perThousandCalls: '0' }, unitsEach: '0' });

/** The receipt of a usage at one price: its lines are exact decimals, and their sum is rounded once. */
export const receiptOf = (price: Price, usage: Usage): PriceReceipt => receiptOfAll([{ price, usage }]);

/** The receipt of a usage whose portions have different prices, such as tokens beyond a context step. */
export const receiptOfAll = (portions: readonly Portion[]): PriceReceipt =>
  JSON.parse(`{${receiptText(portions)}}`) as PriceReceipt;

/** Its fields as JSON, without the braces: every call writes them, and few are read. */
export const receiptText = (portions: readonly Portion[]): string => {
  let lines = '';
  for (const portion of portions) lines = withLines(lines, portion);
  return `"price_steps":[${lines}],${sumText(portions)}`;
};

const sumText = (portions: readonly Portion[]): string => {
  const [one] = portions;
  if (one === undefined || portions.length > 1) {
    const { amount, places, scale } = amountOfAll(portions);
    return `"price_sum":"${decimalText(amount, places)}","price_units":${String(wholeUnits(amount, { scale }) ?? null)}`;
  }
  const { price, usage } = one;
  const amount = plainAmount(price, usage) ?? amountOf(price, usage);
  return `"price_sum":"${decimalText(amount, price.places)}","price_units":${String(quotaOf(price, usage) ?? null)}`;
};

const NONE: readonly PriceBucket[] = [];

/** The buckets of this usage that cost as text only because no price is set for them. */
export const bucketsAsText = ({ factors: { soldAsText } }: Price, usage: Usage): readonly PriceBucket[] => {
  // Without text in the prompt, as in a transcription, the operator has set the price for exactly this use.
  const hasWords = usage.inputTokens + usage.cacheReadTokens > 0;
  return hasWords && soldAsText !== undefined ? soldAsText.filter((bucket) => usage[bucket] > 0) : NONE;
};

const withLines = (before: string, { price, usage }: Portion): string => {
  const { perToken, perCall, perTool } = price;
  const asText = bucketsAsText(price, usage);
  let lines = before;
  const add = (
    part: PricedPart,
    count: number,
    each: bigint,
    unitText = price.unitTexts[part] ?? FREE,
  ): void => {
    // Exact where the product is: then each of its factors is.
    const product = count * Number(each);
    const units = decimalText(Number.isSafeInteger(product) ? product : BigInt(count) * each, price.places);
    lines += `${lines === '' ? '' : ','}{"bucket":"${part}","count":${String(count)},${unitText},"units":"${units}"}`;
  };
  if (perToken === undefined) add('call', 1, perCall);
  else
    for (const bucket of priceBuckets) {
      const count = usage[bucket];
      if (count === 0) continue;
      add(bucket, count, perToken[bucket], asText.includes(bucket) ? asTextOf(price, bucket) : undefined);
    }
  for (const [tool, count] of priceEntries(usage.toolCalls))
    if (count !== 0) add(tool, count, perTool[tool] ?? 0n);
  return lines;
};

/** The same price, marked as that of text. */
const asTextOf = ({ unitTexts }: Price, bucket: PriceBucket): string => {
  const { factors, unitsEach } = JSON.parse(`{${unitTexts[bucket] ?? FREE}}`) as UnitPrice;
  return unitPriceText({ factors: { ...factors, asText: '1' }, unitsEach });
};
