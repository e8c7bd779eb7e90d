import { NANO_PER_USD } from '#contract/limits.ts';
import type { ChannelCost, ModelCost } from '#contract/channel/channel-cost.ts';
import { noUsage, type Usage } from '../chat/usage.ts';
import type { CataloguePrice } from '../quota/catalogue.ts';
import { decimal, ONE } from '../quota/decimal.ts';
import type { PriceBucket } from '../quota/price-factors.ts';
import { amountOfAll, portionsOf } from '../quota/price-variants.ts';
import type { Price } from '../quota/price.ts';
import { type Bought, costOf, type CostSources, isCostedByCall } from './cost.ts';
import { ownOf } from '../json/fields.ts';

/** Usage that every model priced by token may have. */
const PARTS = ['inputTokens', 'cacheReadTokens', 'outputTokens'] as const satisfies readonly PriceBucket[];
/** So few tokens that no context step is reached. */
const SAMPLE_TOKENS = 1000;

/** Further parts, only of models that are known to have them: a part that no call uses must not stop any. */
const furtherParts = (
  cost: ChannelCost,
  { catalogue }: CostSources,
  model: string,
): readonly PriceBucket[] => {
  const own = ownOf(cost.models, model);
  const told: Told =
    own === undefined ? partsListed(catalogue.find(model)) : 'call' in own ? [] : partsOwned(own);
  return told.filter(([, ratio]) => ratio !== undefined).map(([part]) => part);
};

type Told = readonly (readonly [PriceBucket, number | undefined])[];

const partsListed = (listed: CataloguePrice | undefined): Told => [
  ['cacheWrite5mTokens', listed?.createCacheRatio],
  ['cacheWrite1hTokens', listed?.createCacheRatio],
  ['imageInputTokens', listed?.imageRatio],
  ['audioInputTokens', listed?.audioRatio],
  ['audioOutputTokens', listed?.audioCompletionRatio],
  ['imageOutputTokens', listed?.imageCompletionRatio],
];

const partsOwned = (own: Exclude<ModelCost, { readonly call: number }>): Told => [
  ['cacheWrite5mTokens', own.cache_write],
  ['cacheWrite1hTokens', own.cache_write_1h],
  ['imageInputTokens', own.image_input],
  ['audioInputTokens', own.audio_input],
  ['audioOutputTokens', own.audio_output],
  ['imageOutputTokens', own.image_output],
];
const NANO = BigInt(NANO_PER_USD);

/**
 * Whether a channel costs more for a model (the upstream's name) than it sells for: per call, or per token of any
 * part that the model is known to have, each on its own, at the standard tier. Unknown costs do not count as below cost: no
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
    : [...PARTS, ...furtherParts(cost, sources, sold.model)].some((part) =>
        isPartBelow({ ...noUsage, [part]: SAMPLE_TOKENS }),
      );
};
