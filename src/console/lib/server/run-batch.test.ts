import { expect, test } from 'vitest';
import { runBatch } from './run-batch.ts';

const nameOf = (item: number): string => `#${item}`;
const quiet = { nameOf, onStep: () => undefined, signal: new AbortController().signal };

test('processes all items, at most four at a time, and lists the failures', async () => {
  let now = 0;
  let most = 0;
  const seen: number[] = [];
  const act = async (item: number): Promise<void> => {
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setTimeout(resolve));
    now -= 1;
    seen.push(item);
    if (item % 5 === 0) throw new Error(`no ${item}`);
  };
  const items = Array.from({ length: 12 }, (_, at) => at + 1);
  const end = await runBatch({ ...quiet, items, act });
  expect(most).toBe(4);
  expect(seen.toSorted((a, b) => a - b)).toEqual(items);
  expect(end).toEqual({
    done: 12,
    failures: [
      { name: '#5', message: 'no 5' },
      { name: '#10', message: 'no 10' },
    ],
  });
});

test('starts no further items after a stop', async () => {
  const abort = new AbortController();
  const begun: number[] = [];
  const act = async (item: number): Promise<void> => {
    begun.push(item);
    if (item === 2) abort.abort();
  };
  const end = await runBatch({ ...quiet, signal: abort.signal, items: [1, 2, 3, 4, 5, 6, 7, 8], act });
  expect(end.done).toBe(begun.length);
  expect(begun.length).toBeLessThan(8);
});
