import { expect, it } from 'vitest';
import { holdPlan } from './afford.ts';
import { priceFrom } from './price.ts';
import { factorsOf } from './testing/price-factors.ts';

const price = priceFrom(factorsOf(), 500_000);
const firstOf = (hidesThoughts: boolean, maxOutputTokens?: number): number => {
  const size = { inputTokens: 100, maxOutputTokens, choices: 1, leastInputTokens: 0 };
  const asked = { price, size, style: 'stream', thinks: true, hidesThoughts, isLimitForeign: false } as const;
  return holdPlan(asked).answerTokens;
};

it('a stream holds 2048 tokens of its answer at first, or its limit', () => {
  expect([firstOf(false), firstOf(false, 128_000), firstOf(false, 300)]).toEqual([2048, 2048, 300]);
});

it('a stream whose thoughts are not seen before it ends holds what they may take: it cannot ask for more in time', () => {
  expect([firstOf(true), firstOf(true, 128_000), firstOf(true, 300)]).toEqual([16_384, 16_384, 300]);
});
