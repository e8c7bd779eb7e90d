import { expect, it } from 'vitest';
import { Round } from './round.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const round = () => new Round({ now: () => 5, monotonic: () => 0 }, quiet);
const nameOf = (item: number): string => `#${String(item)}`;

it('processes its list one by one, and counts failures', async () => {
  const seen: string[] = [];
  const one = round();
  let running = 0;
  const act = async (item: number): Promise<boolean> => {
    running += 1;
    seen.push(`${nameOf(item)} ${String(running)} ${one.state?.current ?? ''}`);
    await Promise.resolve();
    running -= 1;
    if (item === 2) throw new Error('no');
    return item !== 3;
  };
  let finished = 0;
  const finish = async (): Promise<void> => void (finished += 1);
  expect(one.state).toBeUndefined();
  expect(one.start({ items: [1, 2, 3], nameOf, act, finish })).toBe(true);
  expect(one.start({ items: [4], nameOf, act })).toBe(false);
  await expect.poll(() => finished).toBe(1);
  expect(seen).toEqual(['#1 1 #1', '#2 1 #2', '#3 1 #3']);
  expect(one.state).toMatchObject({ isRunning: false, done: 3, total: 3, failed: 2, finishedAtMs: 5 });
});

it('stops after the one at hand', async () => {
  const seen: number[] = [];
  const one = round();
  one.start({
    items: [1, 2, 3],
    nameOf,
    act: async (item) => {
      seen.push(item);
      await new Promise((resolve) => setImmediate(resolve));
      return true;
    },
  });
  await one.stop();
  expect(seen).toEqual([1]);
  expect(one.state).toMatchObject({ isRunning: false, isStopped: true, done: 1, total: 3 });
  expect(one.start({ items: [], nameOf, act: async () => true })).toBe(true);
});
