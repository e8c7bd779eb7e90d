import type { ModelRateLimiter } from '#core/limits/model-rate-limiter.ts';
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

test('a clock that goes back and forth, as those of two nodes do, frees no room', () => {
  const counter = new WindowCounter();
  for (const at of [50_000, 49_990, 50_010, 49_000, 50_020]) counter.add('a', 60_000, at);
  expect([49_500, 50_030].map((at) => counter.window('a', 60_000, at))).toEqual([
    { count: 5, previous: 0, leftMs: 60_000 },
    { count: 5, previous: 0, leftMs: 59_970 },
  ]);
});

describe('the model request rate limit', () => {
  const stateOf = (outcome: ReturnType<ModelRateLimiter['begin']>) => 'state' in outcome && outcome.state;
  const limit = { total: 3, succeeded: 2, windowMs: 60_000 };

  test('allows so many calls a window for each user', () => {
    const limiter = createMemoryModelRateLimiter();
    const open = { ...limit, succeeded: 0 };
    expect([1, 2, 3, 4].map(() => stateOf(limiter.begin(7, open, 0)))).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'total_reached',
    ]);
    expect(limiter.begin(8, open, 0)).toMatchObject({ state: 'allowed' });
    expect(limiter.begin(7, open, 120_001)).toMatchObject({ state: 'allowed' });
  });

  test('of many at once lets through no more than may succeed; a failed call frees its place', () => {
    const limiter = createMemoryModelRateLimiter();
    const free = { ...limit, total: 0 };
    const outcomes = [1, 2, 3, 4].map(() => limiter.begin(7, free, 0));
    expect(outcomes.map(stateOf)).toEqual(['allowed', 'allowed', 'succeeded_reached', 'succeeded_reached']);
    const failed = outcomes.flatMap((outcome) => ('place' in outcome ? [outcome.place] : []))[0];
    if (failed !== undefined) limiter.giveBack(failed, 10);
    expect([1, 2].map(() => stateOf(limiter.begin(7, free, 20)))).toEqual(['allowed', 'succeeded_reached']);
  });

  test('a place returned in a later window does not count there, and is freed once', () => {
    const limiter = createMemoryModelRateLimiter();
    const free = { ...limit, total: 0 };
    const [first] = [limiter.begin(7, free, 0), limiter.begin(7, free, 0)];
    if (first instanceof Promise || first.place === undefined) throw new Error('no place');
    // One of the two is left in the previous window, and counts half.
    limiter.giveBack(first.place, 90_000);
    expect([1, 2, 3].map(() => stateOf(limiter.begin(7, free, 90_000)))).toEqual([
      'allowed',
      'allowed',
      'succeeded_reached',
    ]);
    limiter.giveBack(first.place, 400_000);
    expect([1, 2, 3].map(() => stateOf(limiter.begin(7, free, 400_000)))).toEqual([
      'allowed',
      'allowed',
      'succeeded_reached',
    ]);
  });

  test('counts a success without a place of its own', () => {
    const limiter = createMemoryModelRateLimiter();
    const free = { ...limit, total: 0 };
    limiter.succeeded(7, free, 0);
    limiter.succeeded(7, free, 0);
    expect(limiter.begin(7, free, 1)).toMatchObject({ state: 'succeeded_reached' });
  });
});
