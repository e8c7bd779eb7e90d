import { expect, test } from 'vitest';
import { vaultJob } from './vault-jobs.ts';

const COUNTS_FROM_MS = 100_000;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** What a node does at each look after the master key was changed, with this many texts left at each. */
const looks = async (left: readonly number[], firstMs: number): Promise<readonly string[]> => {
  const done: string[] = [];
  const texts = [...left];
  let nowMs = firstMs;
  const job = vaultJob({
    vault: {
      follow: async () =>
        nowMs < COUNTS_FROM_MS
          ? { number: 1, fromMs: 0, isPassedOn: false }
          : { number: 2, fromMs: COUNTS_FROM_MS, isPassedOn: !done.includes('end') },
    },
    reseal: async (number) => {
      done.push(`with ${number}`);
      return { texts: texts.shift() ?? 0, unreadable: [] };
    },
    endChange: async () => void done.push('end'),
    clock: { now: () => nowMs },
    log: quiet,
  });
  for (let look = 0; look < 12; look += 1) {
    await job.run();
    nowMs += job.everyMs;
  }
  return done;
};

test('nothing is encrypted anew before the new key counts everywhere, nor after the change is complete', async () => {
  expect(await looks([5], COUNTS_FROM_MS - 30_000)).toEqual([
    ...Array.from({ length: 7 }, () => 'with 2'),
    'end',
  ]);
});

test('a change is complete only once nothing was left a minute after the key began to count', async () => {
  const late = COUNTS_FROM_MS + 60_000;
  expect(await looks([5, 1], late)).toEqual(['with 2', 'with 2', 'with 2', 'end']);
  expect(await looks([], late)).toEqual(['with 2', 'end']);
});
