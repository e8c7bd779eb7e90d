import { expect, it } from 'vitest';
import type { Job } from './every.ts';
import { housekeeping } from './housekeeping.ts';
import { nodeJobs } from './node-jobs.ts';

const HOUR_MS = 3_600_000;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const nothing = async (): Promise<void> => undefined;

it('a clock that is put forward by a day closes no call that runs; one that is put back closes none early', async () => {
  let wallMs = 1000 * HOUR_MS;
  // Its clock counts parts of milliseconds; the database knows none.
  let monotonicMs = 0.4;
  const expired: number[] = [];
  const clock = { now: () => wallMs, monotonic: () => monotonicMs };
  const ledger = {
    resolveAbandoned: async ({ expiredAtMs }: { readonly expiredAtMs: number }): Promise<number> => {
      expired.push(expiredAtMs / HOUR_MS);
      return 0;
    },
  };
  const deleteExpired = nothing;
  const jobs: readonly Job[] = [
    ...housekeeping({
      ledger,
      houseCosts: { add: nothing },
      sessions: { deleteExpired },
      tickets: { deleteExpired },
      counts: { deleteEnded: nothing },
      keptResponses: { deleteExpired },
      allowances: { deleteBefore: nothing },
      availability: { deleteBefore: nothing },
      hourTotals: { addUpHours: async () => 0 },
      quotaWarnings: { lookAtWaiting: nothing },
      registration: { creditOwed: nothing },
      clock,
      log: quiet,
    }),
    ...nodeJobs({
      lease: { beat: async () => true, strikeDead: async () => 1 },
      relay: { endCalls: () => {} },
      ledger,
      houseCosts: { add: nothing },
      silenceMs: 1000,
      clock,
      log: quiet,
    }),
  ];
  const run = async (): Promise<number[]> => {
    expired.length = 0;
    for (const job of jobs) await job.run();
    return [...expired];
  };
  expect(await run()).toEqual([1000, 1000]);
  monotonicMs += HOUR_MS;
  wallMs += HOUR_MS;
  expect(await run()).toEqual([1001, 1001]);
  wallMs += 24 * HOUR_MS;
  expect(await run()).toEqual([1001, 1001]);
  wallMs -= 26 * HOUR_MS;
  expect(await run()).toEqual([999, 999]);
});

it('calls of a dead node are closed in the end, where the database was away when it was struck off', async () => {
  let isAway = true;
  const asked: number[] = [];
  const counted: (number | undefined)[] = [];
  const [, close] = nodeJobs({
    lease: { beat: async () => true, strikeDead: async () => (asked.length === 0 ? 1 : 0) },
    relay: { endCalls: () => {} },
    houseCosts: { add: async ({ calls }) => void counted.push(calls) },
    ledger: {
      resolveAbandoned: async ({ expiredAtMs }) => {
        asked.push(expiredAtMs);
        if (isAway) throw new Error('away');
        return 1;
      },
    },
    silenceMs: 1000,
    // The monotonic clock counts parts of milliseconds, the database does not.
    clock: { now: () => 5000, monotonic: () => 0.25 },
    log: quiet,
  });
  await expect(close?.run()).rejects.toThrow('away');
  isAway = false;
  await close?.run();
  await close?.run();
  expect(asked).toEqual([5000, 5000]);
  expect(counted).toEqual([1]);
});
