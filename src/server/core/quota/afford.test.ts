import { expect, it } from 'vitest';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { affordedTokens, holdPlan, MOST_ANSWER_TOKENS, outputLimitOf } from './afford.ts';
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

const size = { inputTokens: 100, maxOutputTokens: undefined, choices: 1, leastInputTokens: 0 };

it('what is priced whole is told no limit of its answer, however little there is', () => {
  const asked = { price, size, thinks: false, hidesThoughts: false, isLimitForeign: false };
  const little = { quotaUnits: 300, payableUnits: 300 };
  expect(outputLimitOf({ ...asked, style: 'whole' }, little)).toBe(100);
  expect(outputLimitOf({ ...asked, style: 'fixed' }, little)).toBeUndefined();
});

it('an answer is as long as the quota pays for, to the token, up to what 128 of the longest answers are', () => {
  expect(affordedTokens(price, size, 1_000_100)).toBe(500_000);
  expect(affordedTokens(price, size, 1_000_099)).toBe(499_999);
  const most = affordedTokens(price, size, MAX_QUOTA_UNITS);
  expect(most).toBe(MOST_ANSWER_TOKENS * 128);
});
