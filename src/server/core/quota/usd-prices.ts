import { callFactors, type Factor, type PriceFactors, tokenFactors } from './price-factors.ts';

/** A price in US dollars, to be looked at: for a million tokens, or for one call. */
export type UsdPrices =
  | {
      readonly prompt: number;
      readonly completion: number;
      readonly cached: number;
      /** Writing to the cache, for five minutes; absent where nothing is charged for it apart. */
      readonly written?: number;
    }
  | { readonly call: number };

/** Binary fractions leave noise in the last places; no price has twelve. */
const tidy = (value: number): number => Number(value.toPrecision(12));

const productOf = (factors: readonly Factor[]): number =>
  factors.reduce((product, [, value]) => product * value, 1);

/** What the factors of a price come to in US dollars. Charges are computed exactly, elsewhere. */
export const usdPrices = (factors: PriceFactors, quotaPerUnit: number): UsdPrices => {
  if (factors.modelPrice >= 0)
    return { call: tidy(productOf(callFactors(factors, quotaPerUnit)) / quotaPerUnit) };
  const million = (bucket: Parameters<typeof tokenFactors>[1]): number =>
    tidy((productOf(tokenFactors(factors, bucket)) * 1_000_000) / quotaPerUnit);
  return {
    prompt: million('inputTokens'),
    completion: million('outputTokens'),
    cached: million('cacheReadTokens'),
    ...(factors.writesCache && { written: million('cacheWrite5mTokens') }),
  };
};
