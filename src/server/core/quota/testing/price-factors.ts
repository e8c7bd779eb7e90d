import type { PriceFactors } from '../price-factors.ts';

/** Priced by tokens: $2 per million input tokens, twice that for output, group ratio 1. */
export const factorsOf = (changes: Partial<PriceFactors> = {}): PriceFactors => ({
  modelRatio: 1,
  completionRatio: 2,
  cacheRatio: 1,
  createCacheRatio: 1,
  imageRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 1,
  modelPrice: -1,
  groupRatio: 1,
  userGroupRatio: -1,
  source: 'option',
  writesCache: false,
  ...changes,
});
