import { DEFAULT_GROUP } from '#contract/codes.ts';
import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { Routing } from '#core/channel/routing.ts';
import { noUsage } from '#core/chat/usage.ts';
import { priceOfMedia } from '#core/quota/media-price.ts';
import { receiptOfAll, type Receipt } from '#core/quota/price-steps.ts';
import { portionsOf, priceAt } from '#core/quota/price-variants.ts';
import { priceOf } from '#core/quota/price.ts';

interface ExampleCall {
  readonly prompt: number;
  /** How many tokens of the prompt are read from the cache. */
  readonly cached: number;
  readonly completion: number;
  readonly seconds?: number | undefined;
  readonly resolution?: string | undefined;
}

interface PriceQuestion {
  readonly model: string;
  /** In place of those that are set for the model; those of the catalogue stay below, as for a call. */
  readonly dimensions: PriceDimensions;
  readonly group: string;
  readonly tier: string;
  /** When the calls begin; a moment outside all hours where undefined. */
  readonly atMs: number | undefined;
  readonly calls: readonly ExampleCall[];
}

/** The receipt of one such call; in US dollars too where they can be told. */
export interface PriceExample extends Receipt {
  readonly usd: number | null;
}

/** What calls would cost if a model had these dimensions: the very sum that a call is charged by. */
export const priceExamples = (
  { options, catalogue }: Routing,
  { model, dimensions, group, tier, atMs, calls }: PriceQuestion,
): readonly PriceExample[] => {
  const PriceDimensions = { ...options.PriceDimensions, [model]: dimensions };
  const usual = priceOf({ options: { ...options, PriceDimensions }, catalogue }, model, DEFAULT_GROUP, group);
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
