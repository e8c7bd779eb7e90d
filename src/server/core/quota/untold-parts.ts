import type { OptionValues } from '#contract/options.ts';
import type { PriceCatalogue, Proportions } from './catalogue.ts';

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

/** Whether output costs what input does only because nobody has said what it costs. */
export const isOutputUntold = (sources: Sources, model: string): boolean =>
  own(sources.options.ModelRatio, model) !== undefined &&
  (own(sources.options.ModelPrice, model) ?? -1) < 0 &&
  own(sources.options.CompletionRatio, model) === undefined &&
  (sources.catalogue.find(model) ?? proportionsOf(sources, model))?.completionRatio === undefined;
