import type { ModelRateLimiter } from '#core/model-rate-limiter.ts';
import { describe, expect, test } from 'vitest';
import { createMemoryModelRateLimiter } from './model-rate.ts';
import { WindowCounter } from './window-counter.ts';

describe('counting over a sliding window', () => {
  test('forgets what is older than a window, gradually', () => {
    const counter = new WindowCounter();
    for (let index = 0; index < 10; index += 1) counter.add('a', 1000, 0);
    expect([500, 1000, 1500, 1550, 1900, 2500].map((at) => counter.count('a', 1000, at))).toEqual([
      10, 10, 5, 4, 1, 0,
    ]);
    expect(counter.count('b', 1000, 0)).toBe(0);
  });

  test('keeps only so many keys, those used last', () => {
    const counter = new WindowCounter(3);
    for (const key of ['a', 'b', 'c', 'a', 'd']) counter.add(key, 1000, 0);
    expect(counter.size).toBe(3);
    expect(['a', 'b', 'c', 'd'].map((key) => counter.count(key, 1000, 0))).toEqual([2, 0, 1, 1]);
  });

  test('survives a clock that is set back', () => {
    const counter = new WindowCounter();
    counter.add('a', 1000, 1_000_000);
    counter.add('a', 1000, 5);
    expect(counter.count('a', 1000, 6)).toBe(1);
  });
});

describe('the model request rate limit', () => {
  const stateOf = (outcome: ReturnType<ModelRateLimiter['begin']>) => 'state' in outcome && outcome.state;
  const limit = { total: 3, succeeded: 2, windowMs: 60_000 };

  test('allows so many calls a window for each user', () => {
    const limiter = createMemoryModelRateLimiter();
    expect([1, 2, 3, 4].map(() => stateOf(limiter.begin(7, limit, 0)))).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'total_reached',
    ]);
    expect(limiter.begin(8, limit, 0)).toMatchObject({ state: 'allowed' });
    expect(limiter.begin(7, limit, 120_001)).toMatchObject({ state: 'allowed' });
  });

  test('counts successes apart, and not at all where no total is set', () => {
    const limiter = createMemoryModelRateLimiter();
    const free = { ...limit, total: 0 };
    for (let index = 0; index < 50; index += 1)
      expect(limiter.begin(7, free, 0)).toMatchObject({ state: 'allowed' });
    limiter.succeeded(7, free, 0);
    limiter.succeeded(7, free, 0);
    expect(limiter.begin(7, free, 1)).toMatchObject({ state: 'succeeded_reached' });
  });
});
