import { expect, it } from 'vitest';
import { addedCaches, type CacheShare, hitRate, partsOverTime, spanOfSessions } from './cache-sums.ts';

const share = (changes: Partial<CacheShare>): CacheShare => ({
  id: 0,
  name: '',
  count: 1,
  quota: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  saved_quota: 0,
  ...changes,
});

it('the hit rate is a share of all prompt tokens, and undefined without prompts', () => {
  expect(hitRate(share({ prompt_tokens: 2000, cached_tokens: 1500 }))).toBe(0.75);
  expect(hitRate(addedCaches([]))).toBeUndefined();
});

it('sums include the cost of writing caches', () => {
  const sums = [share({ prompt_tokens: 10, saved_quota: -25 }), share({ cached_tokens: 4, saved_quota: 90 })];
  expect(addedCaches(sums)).toEqual({ prompt_tokens: 10, cached_tokens: 4, saved_quota: 65 });
});

it('each bar shows cached and uncached prompt tokens', () => {
  const [first, second] = [new Date(2026, 1, 1).getTime(), new Date(2026, 1, 2).getTime()];
  const shares = [
    share({ id: first / 1000, prompt_tokens: 100, cached_tokens: 60 }),
    share({ id: first / 1000 + 3600, prompt_tokens: 100, cached_tokens: 40 }),
  ];
  expect(partsOverTime(shares, 'day', [first, second])).toEqual([
    { part: 'cached', values: [100, 0] },
    { part: 'anew', values: [100, 0] },
  ]);
});

it('sessions are counted in the last 30 days of a longer span', () => {
  expect(spanOfSessions({ from: 0, to: 5_000_000 })).toEqual({ from: 2_408_000, to: 5_000_000 });
  expect(spanOfSessions({ from: 4_999_000, to: 5_000_000 })).toEqual({ from: 4_999_000, to: 5_000_000 });
});
