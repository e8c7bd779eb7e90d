import { expect, test } from 'vitest';
import { createMemoryLimiter } from './memory.ts';

test('each key has its limit, and the next call is told in whole seconds when to come back', async () => {
  const limiter = createMemoryLimiter(2, 60);
  const ok = { ok: true, retryAfterSeconds: 0 };
  expect([await limiter.take('a'), await limiter.take('a'), await limiter.take('b')]).toEqual([ok, ok, ok]);
  const refused = await limiter.take('a');
  expect(refused.ok).toBe(false);
  expect([59, 60]).toContain(refused.retryAfterSeconds);
});

test('a key that is forgotten begins anew', async () => {
  const limiter = createMemoryLimiter(1, 60);
  await limiter.take('a');
  expect((await limiter.take('a')).ok).toBe(false);
  await limiter.forget('a');
  expect((await limiter.take('a')).ok).toBe(true);
});
