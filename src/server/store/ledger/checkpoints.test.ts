import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OpOutcome } from '#core/ledger/apply-ops.ts';
import type { LedgerOp } from '#core/ledger/book.ts';
import type { Database } from '../database/database.ts';
import { createLedger } from './ledger.ts';

/** The times between which checkpoints are written. */
const LATER_MS = 300;

let asked: (readonly LedgerOp[])[];
let isAway: boolean;
const database = {
  runLedger: async (ops: readonly LedgerOp[]): Promise<readonly OpOutcome[]> => {
    asked.push(ops);
    if (isAway) throw new Error('the database is away');
    return ops.map(() => 'held');
  },
} as unknown as Database;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  isAway = false;
});
afterEach(() => void vi.useRealTimers());

test('of many checkpoints of a call the highest is written, a few times a second', async () => {
  const ledger = createLedger(database);
  for (const units of [1, 7, 3]) await ledger.checkpoint('a', units);
  await ledger.checkpoint('b', 2);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(LATER_MS);
  expect(asked.flat()).toEqual([
    { op: 'checkpoint', id: 'a', quotaUnits: 7 },
    { op: 'checkpoint', id: 'b', quotaUnits: 2 },
  ]);
});

test('a checkpoint that cannot be written harms nothing, and the next one of the call is', async () => {
  const harm: unknown[] = [];
  const note = (thrown: unknown): void => void harm.push(thrown);
  process.on('unhandledRejection', note);
  const ledger = createLedger(database);
  isAway = true;
  await ledger.checkpoint('a', 1);
  await vi.advanceTimersByTimeAsync(LATER_MS);
  isAway = false;
  await ledger.checkpoint('a', 2);
  await vi.advanceTimersByTimeAsync(LATER_MS);
  vi.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(asked.at(-1)).toEqual([{ op: 'checkpoint', id: 'a', quotaUnits: 2 }]);
  expect(harm).toEqual([]);
});
