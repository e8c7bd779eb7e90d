import { expect, test } from 'vitest';
import { noUsage } from '../chat/usage.ts';
import { holdFor, worstUsage } from './estimate.ts';
import { priceFrom } from './price.ts';
import { factorsOf } from './testing/price-factors.ts';

const SIZE = { inputTokens: 100, maxOutputTokens: 10, choices: 2, leastInputTokens: 0 };

const priced = (changes: Parameters<typeof factorsOf>[0] = {}) => priceFrom(factorsOf(changes), 500_000);

test('a prompt is held for as fresh text where nothing costs more', () => {
  expect(worstUsage(priced(), SIZE)).toEqual({ ...noUsage, inputTokens: 100, outputTokens: 20 });
});

test('a prompt is held for where its tokens may cost most: read from the cache, or written to it for an hour', () => {
  expect(worstUsage(priced({ cacheRatio: 1.5 }), SIZE)).toMatchObject({
    inputTokens: 0,
    cacheReadTokens: 100,
  });
  const writes = { writesCache: true, createCacheRatio: 1.25 };
  expect(worstUsage(priced(writes), SIZE)).toMatchObject({
    inputTokens: 0,
    cacheWrite1hTokens: 100,
  });
  expect(worstUsage(priced({ ...writes, cacheRatio: 9 }), SIZE)).toMatchObject({
    cacheReadTokens: 100,
  });
});

test('sound in a prompt is held for at its own price, where that is higher', () => {
  const size = { ...SIZE, soundTokens: 60 };
  expect(worstUsage(priced({ audioRatio: 16 }), size)).toMatchObject({
    inputTokens: 40,
    audioInputTokens: 60,
  });
  expect(worstUsage(priced({ audioRatio: 1 }), size)).toMatchObject({
    inputTokens: 100,
    audioInputTokens: 0,
  });
  const cached = worstUsage(priced({ audioRatio: 3, cacheRatio: 1.5 }), { ...size, leastInputTokens: 500 });
  expect(cached).toMatchObject({ cacheReadTokens: 440, audioInputTokens: 60 });
});

test('pictures in a prompt are held for at their own price, where that is higher', () => {
  const size = { ...SIZE, soundTokens: 30, pictureTokens: 60 };
  const dear = worstUsage(priced({ audioRatio: 16, imageRatio: 2 }), size);
  expect(dear).toMatchObject({ inputTokens: 10, audioInputTokens: 30, imageInputTokens: 60 });
  expect(worstUsage(priced({ imageRatio: 0.5 }), size)).toMatchObject({
    inputTokens: 100,
    imageInputTokens: 0,
  });
});

test('a prompt is held for as written for five minutes where an hour costs less', () => {
  const writes = { writesCache: true, createCacheRatio: 1.25, oneHour: 0.5 };
  expect(worstUsage(priced(writes), SIZE)).toMatchObject({ inputTokens: 0, cacheWrite5mTokens: 100 });
});

test('a model that writes no cache is not held for as if it did', () => {
  expect(worstUsage(priced({ createCacheRatio: 9 }), SIZE)).toMatchObject({
    inputTokens: 100,
    cacheWrite1hTokens: 0,
  });
});

test('an answer is held for as pictures only where they cost more than text', () => {
  expect(worstUsage(priced({ imageCompletionRatio: 3 }), SIZE)).toMatchObject({
    outputTokens: 0,
    imageOutputTokens: 20,
  });
  expect(worstUsage(priced({ imageCompletionRatio: 2 }), SIZE)).toMatchObject({
    outputTokens: 20,
    imageOutputTokens: 0,
  });
});

test('a short prompt is held for as the operator says at least, an answer without a limit for 4096 tokens', () => {
  const open = { ...SIZE, maxOutputTokens: undefined, choices: 1, leastInputTokens: 500 };
  expect(worstUsage(priced(), open)).toMatchObject({ inputTokens: 500, outputTokens: 4096 });
});

test('no limit leaves the exact numbers', () => {
  const wide = { ...SIZE, maxOutputTokens: Number.MAX_SAFE_INTEGER };
  expect(worstUsage(priced(), wide).outputTokens).toBe(Number.MAX_SAFE_INTEGER);
});

test('what no balance could hold is refused', () => {
  const wide = { ...SIZE, maxOutputTokens: Number.MAX_SAFE_INTEGER };
  expect(() => holdFor(priced(), wide)).toThrow('lower max_tokens');
});
