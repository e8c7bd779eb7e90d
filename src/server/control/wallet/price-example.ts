import { DEFAULT_GROUP } from '#contract/codes.ts';
import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { Routing } from '#core/channel/routing.ts';
import { noUsage } from '#core/chat/usage.ts';
import { priceOfMedia } from '#core/quota/media-price.ts';
import { receiptOfAll, type PriceReceipt } from '#core/quota/price-steps.ts';
import { portionsOf, priceAt } from '#core/quota/price-variants.ts';
import { priceOf } from '#core/quota/price.ts';
import { taskPriceOf, taskPrices } from '#core/task/task-price.ts';

interface ExampleCall {
  readonly prompt: number;
  /** How many of the prompt's tokens are read from the cache. */
  readonly cached: number;
  readonly completion: number;
  readonly seconds?: number | undefined;
  readonly resolution?: string | undefined;
}

interface PriceQuestion {
  readonly model: string;
  /** Replace those set for the model; the catalogue's stay below them, as for a call. */
  readonly dimensions: PriceDimensions;
  readonly group: string;
  readonly tier: string;
  /** When the calls begin; if undefined, at a moment outside all hours. */
  readonly atMs: number | undefined;
  readonly calls: readonly ExampleCall[];
}

/** The receipt of one such call, also in US dollars if they can be computed. */
export interface PriceExample extends PriceReceipt {
  readonly usd: number | null;
}

/** What calls would cost if a model had these dimensions, computed like a real charge. */
export const priceExamples = (
  { options, catalogue }: Routing,
  { model, dimensions, group, tier, atMs, calls }: PriceQuestion,
): readonly PriceExample[] => {
  const PriceDimensions = { ...options.PriceDimensions, [model]: dimensions };
  const sources = { options: { ...options, PriceDimensions }, catalogue };
  const find = Object.hasOwn(taskPrices, model) ? taskPriceOf : priceOf;
  const usual = find(sources, model, DEFAULT_GROUP, group);
  const timed = atMs === undefined ? usual : priceAt(usual, atMs);
  return calls.map(({ prompt, cached, completion, seconds, resolution }) => {
    const price = priceOfMedia(timed, { seconds, resolution });
    const usage = {
      ...noUsage,
      inputTokens: prompt - cached,
      cacheReadTokens: cached,
      outputTokens: completion,
    };
    const receipt = receiptOfAll(portionsOf(price, usage, { served: { tier } }));
    const units = receipt.price_units;
    return { ...receipt, usd: units === null ? null : units / price.quotaPerUnit };
  });
};
