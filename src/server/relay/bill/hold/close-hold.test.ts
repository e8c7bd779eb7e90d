import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '#core/error.ts';
import type { CloseOutcome, Ledger } from '#core/ledger/ledger.ts';
import { closeHold, voidUnsureHold } from './close-hold.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = { now: () => 1, monotonic: () => 1 };
const errors: string[] = [];
const log = { info: () => {}, warn: () => {}, error: (problem: string) => void errors.push(problem) };
const CLOSED: CloseOutcome = {
  state: 'closed',
  chargedUnits: 7,
  houseLossUnits: 0,
  userQuotaUnits: 1,
  userHeldUnits: 0,
};

/** Fails the first `failures` times, then answers; counts the calls. */
const away = <Answer>(failures: number, answer: () => Answer) => {
  let asked = 0;
  const ask = async (): Promise<Answer> => {
    asked += 1;
    if (asked <= failures) throw new AppError('unavailable', 'the database is not available');
    return answer();
  };
  return { ask, asked: () => asked };
};

it('a call is charged once, however long the database is down, and its caller does not wait forever', async () => {
  const database = away(20, () => CLOSED);
  const written: CloseOutcome[] = [];
  let isOver = false;
  void closeHold({ log }, 'id', database.ask, (outcome) => void written.push(outcome)).then(() => {
    isOver = true;
  });
  // Once soon after the first try, then thirteen times two seconds later.
  await vi.advanceTimersByTimeAsync(26_199);
  expect([isOver, written]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(1);
  expect([isOver, written, database.asked()]).toEqual([true, [], 15]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect([database.asked(), written]).toEqual([21, [CLOSED]]);
  expect(errors).toHaveLength(1);
});

const ledgerOf = (ask: () => Promise<CloseOutcome>): Pick<Ledger, 'void'> => ({ void: ask });

it('a hold whose confirmation was lost is given back when the database is back', async () => {
  const database = away(3, () => CLOSED);
  void voidUnsureHold({ ledger: ledgerOf(database.ask), clock }, 'id');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(database.asked()).toBe(4);
});

it('a hold that is missing is looked up several times, because it may be committed late', async () => {
  const database = away(2, (): CloseOutcome => ({ state: 'missing' }));
  void voidUnsureHold({ ledger: ledgerOf(database.ask), clock }, 'id');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(database.asked()).toBe(5);
});

it('after many refusals, a database that is down is asked about one hold at a time', async () => {
  let isAway = true;
  const asked: string[] = [];
  const ledger: Pick<Ledger, 'void'> = {
    void: async (id) => {
      asked.push(id);
      if (isAway) throw new AppError('unavailable', 'the database is not available');
      return CLOSED;
    },
  };
  for (let at = 0; at < 100; at += 1) void voidUnsureHold({ ledger, clock }, `call ${at}`);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBeLessThan(20);
  isAway = false;
  asked.length = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(new Set(asked).size).toBe(100);
  expect(asked).toHaveLength(100);
});
