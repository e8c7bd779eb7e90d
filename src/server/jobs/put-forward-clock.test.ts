import { expect, it } from 'vitest';
import type { Job } from './every.ts';
import { housekeeping } from './housekeeping.ts';
import { nodeJobs } from './node-jobs.ts';

const HOUR_MS = 3_600_000;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const nothing = async (): Promise<void> => undefined;

it('a clock that is put forward by a day closes no call that runs; one that is put back closes none early', async () => {
  let wallMs = 1000 * HOUR_MS;
  let monotonicMs = 0;
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
      sessions: { deleteExpired },
      tickets: { deleteExpired },
      counts: { deleteEnded: nothing },
      keptResponses: { deleteExpired },
      quotaWarnings: { lookAtWaiting: nothing },
      clock,
      log: quiet,
    }),
    ...nodeJobs({
      lease: { beat: async () => true, strikeDead: async () => 1 },
      relay: { endCalls: () => {} },
      ledger,
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
