import { dollarsOfRatio, tidy } from '#contract/model-dollars.ts';
import type { OtherTokens } from '#contract/price-factors.ts';
import {
  callFactors,
  type Factor,
  type PriceBucket,
  type PriceFactors,
  tokenFactors,
} from './price-factors.ts';

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

/** What each kind counts as, and beside which plain price it is worth a line of its own. */
const OTHERS: { readonly [Kind in OtherTokens]: readonly [PriceBucket, PriceBucket] } = {
  written_hour: ['cacheWrite1hTokens', 'cacheWrite5mTokens'],
  cached_audio: ['audioCacheReadTokens', 'cacheReadTokens'],
  cached_image: ['imageCacheReadTokens', 'cacheReadTokens'],
  audio_input: ['audioInputTokens', 'inputTokens'],
  audio_output: ['audioOutputTokens', 'outputTokens'],
  image_input: ['imageInputTokens', 'inputTokens'],
  image_output: ['imageOutputTokens', 'outputTokens'],
};

const productOf = (factors: readonly Factor[]): number =>
  factors.reduce((product, [, value]) => product * value, 1);

const dollarsEach =
  (factors: PriceFactors, quotaPerUnit: number) =>
  (bucket: PriceBucket): number =>
    tidy(productOf(tokenFactors(factors, bucket)) * dollarsOfRatio(quotaPerUnit));

/** The tokens that cost something else than the plain ones, in US dollars per million. */
export const otherUsdPrices = (
  factors: PriceFactors,
  quotaPerUnit: number,
): Partial<Record<OtherTokens, number>> => {
  if (factors.modelPrice >= 0) return {};
  const million = dollarsEach(factors, quotaPerUnit);
  const others = Object.entries(OTHERS).flatMap(([kind, [bucket, plain]]) => {
    const [own, usual] = [million(bucket), million(plain)];
    // Cached tokens of these kinds are counted among the cached ones, and cost so much more.
    if (kind === 'cached_audio' || kind === 'cached_image')
      return own === 0 ? [] : [[kind, tidy(usual + own)]];
    return own === usual || (kind === 'written_hour' && !factors.writesCache) ? [] : [[kind, own]];
  });
  return Object.fromEntries(others) as Partial<Record<OtherTokens, number>>;
};

/** Converts price factors to US dollars, for display only; charges are computed exactly elsewhere. */
export const usdPrices = (factors: PriceFactors, quotaPerUnit: number): UsdPrices => {
  if (factors.modelPrice >= 0)
    return { call: tidy(productOf(callFactors(factors, quotaPerUnit)) / quotaPerUnit) };
  const million = dollarsEach(factors, quotaPerUnit);
  return {
    prompt: million('inputTokens'),
    completion: million('outputTokens'),
    cached: million('cacheReadTokens'),
    ...(factors.writesCache && { written: million('cacheWrite5mTokens') }),
  };
};
