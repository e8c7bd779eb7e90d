import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noUsage } from '../chat/usage.ts';
import { priceFrom } from './price.ts';
import { quotaAt } from './price-variants.ts';
import { savedByCaches } from './saved-by-caches.ts';
import { factorsOf } from './testing/price-factors.ts';

const price = priceFrom(factorsOf({ modelRatio: 1, cacheRatio: 0.1, createCacheRatio: 1.25 }), 500_000);
const allKinds = priceFrom(
  factorsOf({
    modelRatio: 1,
    cacheRatio: 0.1,
    createCacheRatio: 1.25,
    audioRatio: 8,
    imageRatio: 2,
    audioCacheSurcharge: 0.5,
    imageCacheSurcharge: 0.3,
  }),
  500_000,
);
const unitsOf = (usage: typeof noUsage): number => quotaAt(price, usage, {}) ?? Number.NaN;
const savedOf = (changes: Partial<typeof noUsage>): number => {
  const usage = { ...noUsage, ...changes };
  return savedByCaches(usage, unitsOf(usage), unitsOf);
};

test('what was read from a cache saved the difference to the plain price', () => {
  expect(savedOf({ inputTokens: 100, cacheReadTokens: 1000 })).toBe(900);
});

test('what was written to a cache cost more than the plain price', () => {
  expect(savedOf({ inputTokens: 100, cacheWrite5mTokens: 1000 })).toBe(-250);
  expect(savedOf({ cacheReadTokens: 1000, cacheWrite5mTokens: 1000 })).toBe(650);
});

test('cached sound and pictures saved the difference to their own price, and writes for an hour cost more', () => {
  const units = (usage: typeof noUsage): number => quotaAt(allKinds, usage, {}) ?? Number.NaN;
  const usage = {
    ...noUsage,
    inputTokens: 10,
    audioInputTokens: 5,
    imageInputTokens: 5,
    cacheReadTokens: 1000,
    audioCacheReadTokens: 100,
    imageCacheReadTokens: 200,
  };
  const uncached = 10 + 700 + 8 * 105 + 2 * 205;
  const paid = 10 + 40 + 10 + 100 + 50 + 60;
  expect([units(usage), savedByCaches(usage, units(usage), units)]).toEqual([paid, uncached - paid]);
  expect(savedOf({ cacheReadTokens: 1000, cacheWrite1hTokens: 1000 })).toBeLessThan(0);
});

test('without a cache nothing was saved, and output counts for nothing', () => {
  expect(savedOf({ inputTokens: 1000, outputTokens: 500 })).toBe(0);
  expect(savedByCaches({ ...noUsage, inputTokens: 1000 }, 3, unitsOf)).toBe(0);
  const tokens = fc.nat(100_000);
  fc.assert(
    fc.property(tokens, tokens, tokens, (inputTokens, cacheReadTokens, outputTokens) => {
      const saved = savedOf({ inputTokens, cacheReadTokens, outputTokens });
      // Two charges are rounded, each by less than one unit.
      expect(Math.abs(saved - 0.9 * cacheReadTokens)).toBeLessThanOrEqual(1);
    }),
  );
});
