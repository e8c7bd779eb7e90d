import { dollarsOfRatio, tidy } from '#contract/model-dollars.ts';
import { callFactors, type Factor, type PriceFactors, tokenFactors } from './price-factors.ts';

/** A price in US dollars, for display: per million tokens, or per call. */
export type UsdPrices =
  | {
      readonly prompt: number;
      readonly completion: number;
      readonly cached: number;
      /** Five-minute cache writes; absent if they have no price of their own. */
      readonly written?: number;
    }
  | { readonly call: number };

const productOf = (factors: readonly Factor[]): number =>
  factors.reduce((product, [, value]) => product * value, 1);

/** Converts price factors to US dollars, for display only; charges are computed exactly elsewhere. */
export const usdPrices = (factors: PriceFactors, quotaPerUnit: number): UsdPrices => {
  if (factors.modelPrice >= 0)
    return { call: tidy(productOf(callFactors(factors, quotaPerUnit)) / quotaPerUnit) };
  const million = (bucket: Parameters<typeof tokenFactors>[1]): number =>
    tidy(productOf(tokenFactors(factors, bucket)) * dollarsOfRatio(quotaPerUnit));
  return {
    prompt: million('inputTokens'),
    completion: million('outputTokens'),
    cached: million('cacheReadTokens'),
    ...(factors.writesCache && { written: million('cacheWrite5mTokens') }),
  };
};
