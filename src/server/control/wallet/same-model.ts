// Stands alone: what makes two names one model is a subject of its own beside what the catalogue says of it.
import type { CataloguePrice, PriceCatalogue, Proportions } from '#core/quota/catalogue.ts';

/** The maker's own name: gateways put a maker or host before it and a variant after it, fine-tuned ones a base model. */
const makersName = (model: string): string =>
  model
    .slice(model.lastIndexOf('/') + 1)
    .replace(/^ft:/, '')
    .replace(/:.*$/s, '');

/** What a model has in common with the same model elsewhere: tiers, speeds, places and hours are those of a seller. */
const proportionsOf = (same: CataloguePrice): Proportions => {
  const { modelRatio: _price, contextWindow: _window, dimensions, ...ratios } = same;
  return {
    ...ratios,
    ...(dimensions?.context !== undefined && { dimensions: { context: dimensions.context } }),
  };
};

/**
 * Finds the same model under the name its maker gave it: `sameModel` of `PriceCatalogue`. A model that is only of the same
 * family is none: what its output costs would be a guess, and charges are no guesses.
 */
export const sameModelIn =
  (find: PriceCatalogue['find']) =>
  (model: string): Proportions | undefined => {
    const same = find(makersName(model));
    return same && proportionsOf(same);
  };
