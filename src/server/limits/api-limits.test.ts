import { expect, it } from 'vitest';
import { createGuessLimits } from './api-limits.ts';
import { createDurableLimits } from './durable-limits.ts';

const MINUTE_MS = 60_000;

/** Counts of the store, by a clock that the test moves. */
const counts = () => {
  const windows = new Map<string, { count: number; endsAtMs: number }>();
  return {
    count: async (key: string, windowMs: number, nowMs: number) => {
      const known = windows.get(key);
      const open =
        known !== undefined && known.endsAtMs > nowMs ? known : { count: 0, endsAtMs: nowMs + windowMs };
      windows.set(key, { ...open, count: open.count + 1 });
      return { ...open, count: open.count + 1 };
    },
    uncount: async () => undefined,
    forget: async (key: string) => void windows.delete(key),
    deleteEnded: async () => undefined,
  };
};

it('who knows the password has fifty guesses a day at the codes of the app, five at a time', async () => {
  let nowMs = 1_000_000;
  const clock = { now: () => nowMs, monotonic: () => nowMs };
  const { codeLimit } = createGuessLimits(createDurableLimits(counts(), clock), 5);
  const passed: number[] = [];
  for (let quarter = 0; quarter < 4 * 24; quarter += 1) {
    const guesses = [];
    for (let guess = 0; guess < 7; guess += 1) guesses.push(await codeLimit.take('1'));
    passed.push(guesses.filter(({ ok }) => ok).length);
    nowMs += 15 * MINUTE_MS;
  }
  expect(passed).toEqual([...Array.from({ length: 10 }, () => 5), ...Array.from({ length: 86 }, () => 0)]);
  // A right code says that its owner was there all the time.
  await codeLimit.forget('1');
  expect((await codeLimit.take('1')).ok).toBe(true);
});
