import { NANO_PER_USD } from '#contract/limits.ts';
import type { ChannelCost } from '#contract/channel/channel-cost.ts';
import { noUsage, type Usage } from '../chat/usage.ts';
import { decimal, ONE } from '../quota/decimal.ts';
import type { PriceBucket } from '../quota/price-factors.ts';
import { amountOfAll, portionsOf } from '../quota/price-variants.ts';
import type { Price } from '../quota/price.ts';
import { type Bought, costOf, type CostSources, isCostedByCall } from './cost.ts';

/** Usage that every model priced by token may have; so few tokens that no context step is reached. */
const PARTS = ['inputTokens', 'cacheReadTokens', 'outputTokens'] as const satisfies readonly PriceBucket[];
const SAMPLE_TOKENS = 1000;
const NANO = BigInt(NANO_PER_USD);

/**
 * Whether a channel costs more for a model (the upstream's name) than it sells for: per call, or per token of plain
 * input, cached input or output, each on its own, at the standard tier. Unknown costs do not count as below cost: no
 * cost, none for a bucket, or a cost per token beside a price per call.
 */
export const isBelowCost = (
  price: Price,
  cost: ChannelCost | undefined,
  sources: CostSources,
  sold: Pick<Bought, 'model' | 'atMs'>,
): boolean => {
  if (cost === undefined) return false;
  const isByCall = price.perToken === undefined;
  if (isByCall !== isCostedByCall(cost, sources.catalogue, sold.model)) return false;
  const unitsPerDollar = decimal(price.quotaPerUnit);
  const isPartBelow = (usage: Usage): boolean => {
    const nano = costOf(cost, sources, { ...sold, usage, service: {}, times: 1 });
    if (nano === undefined) return false;
    const { amount, scale } = amountOfAll(portionsOf(price, usage));
    // Both are rounded by less than one billionth.
    return BigInt(nano - 1) * unitsPerDollar * scale > amount * NANO * ONE;
  };
  return isByCall
    ? isPartBelow(noUsage)
    : PARTS.some((part) => isPartBelow({ ...noUsage, [part]: SAMPLE_TOKENS }));
};
