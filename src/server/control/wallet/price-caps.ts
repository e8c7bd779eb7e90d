import type { PriceFactors } from '#core/quota/price-factors.ts';
import { findPrice, type PriceSources } from '#core/quota/price.ts';
import { DEFAULT_GROUP } from '#contract/codes.ts';
import { ownOf } from '#core/json/fields.ts';
import { numberOptions, type NumberOption, type Offered } from './price-list.ts';

/**
 * Why a price of a list is not taken over without review. `flip`: priced per call here and by tokens there, or the other way
 * round; always needs a draft by hand. `partial`: it also has prices there that are not taken over, and none for them here.
 * `together`: another price of the same model is held back.
 */
export type HeldBack = 'flip' | 'zero' | 'far' | 'partial' | 'together' | 'none';

/** More than three times as much, or less than a third, is as likely a mistake as a change. */
const FAR = 3;
/** Products of ratios are exact to fewer places than this. */
const ROUNDING = 1 + 1e-9;
/** Used if there is no price here to compare with: more than anything on sale costs. */
const USUAL_MOST: Readonly<Record<NumberOption, number>> = {
  // In dollars per call; a ratio of 500 is 1000 dollars per million tokens.
  ModelPrice: 100,
  ModelRatio: 500,
  CompletionRatio: 100,
  CacheRatio: 2,
  CreateCacheRatio: 10,
};
/** And less than anything costs: a thousandth of a dollar per million tokens. */
const USUAL_LEAST: Readonly<Record<NumberOption, number>> = {
  ModelPrice: 0.000_001,
  ModelRatio: 0.0005,
  CompletionRatio: 0.05,
  CacheRatio: 0.005,
  CreateCacheRatio: 0.05,
};

/** Judges the prices of one model in a list, by what its tokens cost here and would cost with all of them. */
export const judgeOf = (
  sources: PriceSources,
  model: string,
  offered: Offered,
): ((option: NumberOption, after: number) => HeldBack) => {
  const now = costsOf(sources, model);
  const then = costsOf({ ...sources, options: withOffered(sources.options, model, offered) }, model);
  return (option, after) => {
    if (after === 0) return 'zero';
    const before = now?.ratios[option];
    if (now === undefined || then === undefined || before === undefined)
      return after > USUAL_MOST[option] || after < USUAL_LEAST[option] ? 'far' : 'none';
    const isFar =
      isFarFrom(before, after) || movedBy(option).some((part) => isFarFrom(now.paid[part], then.paid[part]));
    return isFar ? 'far' : 'none';
  };
};

const isFarFrom = (before: number, after: number): boolean =>
  before === 0 ? after !== 0 : after > before * FAR * ROUNDING || after * FAR * ROUNDING < before;

interface Costs {
  /** The ratios in effect, whether or not somebody has set them. */
  readonly ratios: Offered;
  /** What each part costs, as a multiple of a token at ratio 1, or in dollars for a call. */
  readonly paid: Readonly<Record<NumberOption, number>>;
}

const costsOf = (sources: PriceSources, model: string): Costs | undefined => {
  const factors = findPrice(sources, model, DEFAULT_GROUP, DEFAULT_GROUP)?.factors;
  if (factors === undefined) return undefined;
  const ratios = factors.modelPrice >= 0 ? { ModelPrice: factors.modelPrice } : ratiosOf(factors);
  const { ModelPrice = 0, ModelRatio = 0, ...shares } = ratios as Offered;
  return {
    ratios,
    paid: {
      ModelPrice,
      ModelRatio,
      CompletionRatio: ModelRatio * (shares.CompletionRatio ?? 0),
      CacheRatio: ModelRatio * (shares.CacheRatio ?? 0),
      CreateCacheRatio: ModelRatio * (shares.CreateCacheRatio ?? 0),
    },
  };
};

const ratiosOf = (factors: PriceFactors): Offered => ({
  ModelRatio: factors.modelRatio,
  CompletionRatio: factors.completionRatio,
  CacheRatio: factors.cacheRatio,
  CreateCacheRatio: factors.createCacheRatio,
});

/** The ratio of a model is in the price of each of its parts. */
const movedBy = (option: NumberOption): readonly NumberOption[] =>
  option === 'ModelRatio' ? numberOptions : [option];

/** The options with this model alone in the tables of prices, which are long. */
const withOffered = (options: PriceSources['options'], model: string, offered: Offered) => {
  const tables: Partial<Record<NumberOption, Readonly<Record<string, number>>>> = {};
  for (const option of numberOptions) {
    const value = offered[option] ?? ownOf(options[option], model);
    tables[option] = value === undefined ? {} : { [model]: value };
  }
  return { ...options, ...tables };
};
