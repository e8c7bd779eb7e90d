import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '#core/error.ts';
import type { CloseOutcome, Ledger } from '#core/ledger/ledger.ts';
import { closeHold } from './close-hold.ts';
import { giveBackUnsure } from './give-back-unsure.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = { now: () => 1, monotonic: () => 1 };
const log = { info: () => {}, warn: () => {}, error: () => {} };
const CLOSED: CloseOutcome = { state: 'closed', chargedUnits: 7, houseLossUnits: 0, userQuotaUnits: 1 };

/** Answers after so many failures, and counts how often it was asked. */
const away = <Answer>(failures: number, answer: () => Answer) => {
  let asked = 0;
  const ask = async (): Promise<Answer> => {
    asked += 1;
    if (asked <= failures) throw new AppError('unavailable', 'the database is not available');
    return answer();
  };
  return { ask, asked: () => asked };
};

it('what a call cost is written down once, however long the database is away, and its caller does not wait for ever', async () => {
  const database = away(20, () => CLOSED);
  const written: CloseOutcome[] = [];
  let isOver = false;
  void closeHold({ log }, 'id', database.ask, (outcome) => void written.push(outcome)).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([isOver, written]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([isOver, written]).toEqual([true, []]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect([database.asked(), written]).toEqual([21, [CLOSED]]);
});

const ledgerOf = (ask: () => Promise<CloseOutcome>): Pick<Ledger, 'void'> => ({ void: ask });

it('a hold that was made although its answer was lost is given back when the database is there again', async () => {
  const database = away(3, () => CLOSED);
  void giveBackUnsure({ ledger: ledgerOf(database.ask), clock }, 'id');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(database.asked()).toBe(4);
});

it('a hold that was never made is asked after a few times, for it may be committed late', async () => {
  const database = away(2, (): CloseOutcome => ({ state: 'missing' }));
  void giveBackUnsure({ ledger: ledgerOf(database.ask), clock }, 'id');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(database.asked()).toBe(5);
});

it('after a crowd was refused, a database that is away is asked about one of them at a time', async () => {
  let isAway = true;
  const asked: string[] = [];
  const ledger: Pick<Ledger, 'void'> = {
    void: async (id) => {
      asked.push(id);
      if (isAway) throw new AppError('unavailable', 'the database is not available');
      return CLOSED;
    },
  };
  for (let at = 0; at < 100; at += 1) void giveBackUnsure({ ledger, clock }, `call ${at}`);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBeLessThan(20);
  isAway = false;
  asked.length = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(new Set(asked).size).toBe(100);
  expect(asked).toHaveLength(100);
});
