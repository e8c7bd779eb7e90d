import type { OptionValues } from '#contract/options.ts';
import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { PriceCatalogue, Proportions } from './catalogue.ts';
import type { PriceBucket } from './price-factors.ts';

interface Sources {
  readonly options: Pick<OptionValues, 'ModelRatio' | 'ModelPrice' | 'CompletionRatio'>;
  readonly catalogue: PriceCatalogue;
}

/** The value of a table that operators fill, whose keys may be any word. */
export const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/**
 * An operator who sets the price of a model that is not listed, and leaves parts out, sells them in the proportions of
 * the same model under its maker's name: output is seldom as cheap as input.
 */
export const proportionsOf = ({ options, catalogue }: Sources, model: string): Proportions | undefined =>
  own(options.ModelRatio, model) === undefined ? undefined : catalogue.sameModel?.(model);

/** A completion ratio is set with words in mind: it makes pictures dearer than listed, but not cheaper. */
export const imageCompletion = (set: number | undefined, known: Proportions | undefined): number =>
  Math.max(set ?? known?.completionRatio ?? 1, known?.imageCompletionRatio ?? 0);

/** Ratios of a list are quotients: what is left of binary rounding is taken off their differences. */
const PLACES = 9;

/**
 * The same of a cache ratio and cached sound, for which some makers ask more than for cached words: what it costs beyond
 * those.
 */
export const audioCacheSurcharge = (
  set: number | undefined,
  known: Proportions | undefined,
): number | undefined => {
  const { audioCacheSurcharge: listed, cacheRatio = 1 } = known ?? {};
  if (listed === undefined || set === undefined) return listed;
  const left = Number((cacheRatio + listed - set).toFixed(PLACES));
  return left > 0 ? left : undefined;
};

/**
 * The parts of a model that is not listed which cost as text does because nobody has said what they cost, though makers ask
 * more for them. Pictures that a model sees are no such part: makers count them as text.
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

/** Whether output costs what input does only because nobody has said what it costs. */
export const isOutputUntold = (sources: Sources, model: string): boolean =>
  own(sources.options.ModelRatio, model) !== undefined &&
  (own(sources.options.ModelPrice, model) ?? -1) < 0 &&
  own(sources.options.CompletionRatio, model) === undefined &&
  (sources.catalogue.find(model) ?? proportionsOf(sources, model))?.completionRatio === undefined;
