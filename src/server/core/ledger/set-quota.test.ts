import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyOps, emptyBook } from './apply-ops.ts';
import type { Book, LedgerOp } from './book.ts';
import { sinceRead } from './set-quota.ts';

/** Whether a balance that is sent back later was changed by its sender. */

const units = fc.integer({ min: 0, max: 1_000_000 });

test('a balance that is sent back as it was read changes nothing, whatever was charged or held in between', () => {
  fc.assert(
    fc.property(units, units, units, units, (left, used, charged, held) => {
      const now = { quota: left, used: used + charged, held };
      const read = { leftUnits: left + charged, usedUnits: used };
      // Read while something else was held, and that was told.
      const told = { ...read, leftUnits: read.leftUnits + held - 777, heldUnits: 777 };
      expect(sinceRead(told, now)).toBe('unchanged');
      // Read before anything was held, or while as much was held as now.
      for (const leftUnits of [read.leftUnits, read.leftUnits + held])
        expect(sinceRead({ ...read, leftUnits }, now)).toBe('unchanged');
    }),
  );
});

test('another balance is set where nothing was charged since it was read, and refused where something was', () => {
  fc.assert(
    fc.property(units, units, units, fc.integer({ min: 1, max: 1000 }), (left, used, charged, more) => {
      const now = { quota: left, used: used + charged, held: 0 };
      const read = { leftUnits: left + charged + more, usedUnits: used };
      expect(sinceRead(read, now)).toBe(charged === 0 ? undefined : 'stale');
    }),
  );
});

const account = { held: 50, used: 0, requestCount: 0, earned: 0, active: true, changed: false };

/** Two users with a quota of 100, of which 50 are held, and what is done to a book of them, in batches. */
const bookAfter = (...ops: readonly LedgerOp[]): Book => {
  const book = emptyBook();
  for (const id of [1, 2]) {
    book.users.set(id, { ...account, id, held: 0, quota: 150 });
    const hold = { id: `of-${id}`, userId: id, tokenId: null, quotaUnits: 50, nowMs: 1, expiresAtMs: 9 };
    applyOps(book, [{ op: 'hold', hold }]);
  }
  applyOps(book, ops);
  return book;
};
const movement = {
  kind: 'admin',
  ref: 'r',
  userId: 1,
  deltaUnits: 0,
  reason: '',
  actorId: 3,
  nowMs: 2,
} as const;
const set: LedgerOp = { op: 'move', movement: { ...movement, toUnits: 20 } };
const giveBack = (id: string): LedgerOp => ({ op: 'void', id, nowMs: 3, log: undefined });
const keep: LedgerOp = { op: 'keep', id: 'of-1', quotaUnits: 50, nowMs: 4 };
const quotas = (book: Book): (number | undefined)[] => [1, 2].map((id) => book.users.get(id)?.quota);

test('a quota that was set stays as it was set when holds from before are given back, its user’s alone', () => {
  expect(quotas(bookAfter(set, giveBack('of-1'), giveBack('of-2')))).toEqual([20, 150]);
  // What had been given back before belongs to what was set.
  expect(quotas(bookAfter(giveBack('of-1'), set))).toEqual([20, 100]);
});

test('a hold that was closed before it could be kept open is taken back once, as far as it was given back', () => {
  expect(quotas(bookAfter(set, giveBack('of-1'), keep))).toEqual([20, 100]);
  const set20 = bookAfter(giveBack('of-1'));
  const user = set20.users.get(1);
  if (user) user.quota = 70;
  expect(applyOps(set20, [keep, keep])).toEqual([true, true]);
  expect(quotas(set20)).toEqual([20, 100]);
  expect(set20.moved).toMatchObject([{ ref: 'rest:of-1', deltaUnits: -50, quotaAfterUnits: 20 }]);
});

test('of a closed hold only what it gave back is taken, and one that is still open gives nothing back', () => {
  const charged: LedgerOp[] = [
    { op: 'checkpoint', id: 'of-1', quotaUnits: 20 },
    { op: 'resolve', id: 'of-1', nowMs: 20 },
  ];
  expect(quotas(bookAfter(...charged))).toEqual([130, 100]);
  expect(quotas(bookAfter(...charged, keep))).toEqual([100, 100]);
  expect(quotas(bookAfter(keep, giveBack('of-1')))).toEqual([100, 100]);
});

test('of holds that another node is writing only those of the user are told', () => {
  const book = bookAfter();
  book.openHolds.push({ id: 'far', userId: 1, amount: 7 }, { id: 'other', userId: 2, amount: 8 });
  expect(applyOps(book, [set])).toEqual([{ state: 'set', open: [{ id: 'far', quotaUnits: 7 }] }]);
  expect([...book.holds.values()].map(({ keptUnits }) => keptUnits)).toEqual([50, 0]);
  expect(applyOps(bookAfter(), [{ ...keep, id: 'unknown' } as LedgerOp])).toEqual([false]);
});

test('a quota that changes nothing, or was read before a charge, is not set', () => {
  const read = (leftUnits: number, usedUnits: number): LedgerOp => ({
    op: 'move',
    movement: { ...movement, toUnits: leftUnits, read: { usedUnits } },
  });
  expect(applyOps(bookAfter(), [read(150, 0), read(90, 5), read(90, 0)])).toEqual([
    'unchanged',
    'stale',
    { state: 'set', open: [] },
  ]);
});
