import type { OptionValues } from '#contract/options.ts';
import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { PriceCatalogue, Proportions } from './catalogue.ts';
import type { PriceBucket } from './price-factors.ts';
import { ownOf } from '../json/fields.ts';

interface Sources {
  readonly options: Pick<OptionValues, 'ModelRatio' | 'ModelPrice' | 'CompletionRatio'>;
  readonly catalogue: PriceCatalogue;
}

/**
 * The proportions for an unlisted model whose ratio the operator has set: those that its maker lists for the same
 * model under another name. Parts without a ratio take them, because output seldom costs as little as input.
 */
export const proportionsOf = ({ options, catalogue }: Sources, model: string): Proportions | undefined =>
  ownOf(options.ModelRatio, model) === undefined ? undefined : catalogue.sameModel?.(model);

/**
 * The ratio of generated pictures. An operator sets the completion ratio with text in mind, so it makes pictures
 * dearer than listed, but never cheaper.
 */
export const imageCompletion = (set: number | undefined, known: Proportions | undefined): number =>
  Math.max(set ?? known?.completionRatio ?? 1, known?.imageCompletionRatio ?? 0);

/**
 * Differences of listed ratios, which are quotients, are rounded to so many decimals, to drop binary rounding noise.
 */
const PLACES = 9;

/**
 * The surcharge of cached sound or pictures, for which some makers charge more than for cached text, over the cache ratio that
 * is set.
 */
export const cacheSurcharge = (
  set: number | undefined,
  known: Proportions | undefined,
  kind: 'audioCacheSurcharge' | 'imageCacheSurcharge',
): number | undefined => {
  const { [kind]: listed, cacheRatio = 1 } = known ?? {};
  if (listed === undefined || set === undefined) return listed;
  const left = Number((cacheRatio + listed - set).toFixed(PLACES));
  return left > 0 ? left : undefined;
};

/**
 * The buckets of an unlisted model that are priced like text because no price is set for them, although makers charge
 * more. Pictures in the prompt are not among them, because makers count them as text.
 */
export const soldAsText = (
  known: Proportions | undefined,
  set: PriceDimensions['ratios'],
): readonly PriceBucket[] => {
  if (known !== undefined) return [];
  const parts: PriceBucket[] = [];
  if (set?.audioInput === undefined) parts.push('audioInputTokens');
  if (set?.audioInput === undefined && set?.audioOutput === undefined) parts.push('audioOutputTokens');
  if (set?.imageOutput === undefined) parts.push('imageOutputTokens');
  return parts;
};

/** Whether output costs as much as input only because no output price is known. */
export const isOutputUntold = (sources: Sources, model: string): boolean =>
  ownOf(sources.options.ModelRatio, model) !== undefined &&
  (ownOf(sources.options.ModelPrice, model) ?? -1) < 0 &&
  ownOf(sources.options.CompletionRatio, model) === undefined &&
  (sources.catalogue.find(model) ?? proportionsOf(sources, model))?.completionRatio === undefined;
