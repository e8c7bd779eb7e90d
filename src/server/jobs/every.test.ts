import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runEvery } from './every.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

it('a job never runs twice at once, goes on after it failed, and stops when told', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const run = async () => {
    running += 1;
    runs += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    running -= 1;
    if (runs === 1) throw new Error('the first run fails');
  };
  const stop = runEvery([{ name: 'slow', everyMs: 1000, run }], quiet);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([most, runs]).toEqual([1, 4]);
  const stopped = stop();
  await vi.advanceTimersByTimeAsync(5000);
  await stopped;
  expect([running, runs]).toEqual([0, 4]);
});
