import type { CataloguePrice, PriceCatalogue, Proportions } from '#core/quota/catalogue.ts';

type Find = PriceCatalogue['find'];

/** Pictures, sound and vectors: their output is priced unlike words. */
const NOT_WORDS = /tts|audio|image|realtime|live|voice|voxtral|transcribe|embed|rerank/i;
const REMEMBERED_MAX = 5000;

/** The maker's own name: gateways put a maker or host before it and a variant after it, fine-tuned ones a base model. */
const makersName = (model: string): string =>
  model
    .slice(model.lastIndexOf('/') + 1)
    .replace(/^ft:/, '')
    .replace(/:.*$/s, '');

/** The letters that a name begins with, where a number or a dash follows: `gpt`, `o` of `o3`; undefined if there are none. */
const familyOf = (model: string): string | undefined =>
  /^([a-z]+)[-.\d]/.exec(makersName(model).toLowerCase())?.[1];

/** What a model has in common with the same model elsewhere: tiers, speeds, places and hours are those of a seller. */
const proportionsOf = (same: CataloguePrice): Proportions => {
  const { modelRatio: _price, contextWindow: _window, dimensions, ...ratios } = same;
  return {
    ...ratios,
    ...(dimensions?.context !== undefined && { dimensions: { context: dimensions.context } }),
  };
};

/** The dearest output among the listed models of a family; undefined if it has none. Takes a few milliseconds. */
const dearestOutput = (find: Find, names: readonly string[], family: string): number | undefined => {
  const outputs = names
    .filter((name) => familyOf(name) === family && !NOT_WORDS.test(name))
    .map((name) => find(name)?.completionRatio ?? 0);
  const dearest = Math.max(0, ...outputs);
  return dearest === 0 ? undefined : dearest;
};

/**
 * Finds what a model that is not listed may be compared with: `related` of `PriceCatalogue`. @param names every listed
 * model, by its maker
 */
export const createRelatives = (find: Find, names: () => readonly string[]) => {
  const known = new Map<string, Proportions | undefined>();
  const families = new Map<string, number | undefined>();
  const outputOf = (family: string): number | undefined => {
    if (!families.has(family) && families.size < REMEMBERED_MAX)
      families.set(family, dearestOutput(find, names(), family));
    return families.get(family);
  };
  const looked = (model: string): Proportions | undefined => {
    const same = find(makersName(model));
    if (same !== undefined) return proportionsOf(same);
    const family = familyOf(model);
    const completionRatio = family === undefined ? undefined : outputOf(family);
    return completionRatio === undefined ? undefined : { completionRatio };
  };
  return (model: string): Proportions | undefined => {
    if (known.has(model)) return known.get(model);
    const found = looked(model);
    if (known.size < REMEMBERED_MAX) known.set(model, found);
    return found;
  };
};
