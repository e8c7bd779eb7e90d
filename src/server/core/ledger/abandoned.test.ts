import { expect, test } from 'vitest';
import { noUsage } from '../chat/usage.ts';
import { applyOps, emptyBook } from './apply-ops.ts';
import type { Book, LedgerOp } from './book.ts';

/** What happens to a call that a crash interrupted: its money, and its log rows. */

const ID = 'call';
const resolve: LedgerOp = { op: 'resolve', id: ID, nowMs: 5200 };

const bookWithCall = (...more: readonly LedgerOp[]): Book => {
  const book = emptyBook();
  const account = {
    quota: 100,
    held: 0,
    used: 0,
    requestCount: 0,
    earned: 0,
    active: true,
    changed: false,
  };
  book.users.set(7, { ...account, id: 7 });
  book.names.set(ID, { username: 'kim', tokenName: 'laptop' });
  applyOps(book, [
    {
      op: 'hold',
      hold: { id: ID, userId: 7, tokenId: null, quotaUnits: 50, nowMs: 200, expiresAtMs: 9000 },
    },
    ...more,
  ]);
  return book;
};

const ROW = {
  requestId: ID,
  createdAtMs: 5200,
  userId: 7,
  username: 'kim',
  tokenId: 0,
  tokenName: 'laptop',
  channelId: 0,
  group: '',
  model: '',
  usage: noUsage,
  useTimeMs: 5000,
  isStream: false,
  ip: '',
  other: '',
};

test('a call that was never sent gets everything back, and a row says so', () => {
  const book = bookWithCall();
  expect(applyOps(book, [resolve])).toEqual([true]);
  expect(book.users.get(7)).toMatchObject({ quota: 100, held: 0, used: 0 });
  expect(book.logs.map(({ log }) => log)).toEqual([
    {
      ...ROW,
      type: 4,
      quotaUnits: 0,
      content: JSON.stringify({ say: 'log_call_returned', values: { id: ID } }),
    },
  ]);
});

test('a call that was sent pays its known cost; one row is its charge, another reports it', () => {
  const book = bookWithCall({ op: 'checkpoint', id: ID, quotaUnits: 30 });
  expect(applyOps(book, [resolve])).toEqual([true]);
  expect(book.users.get(7)).toMatchObject({ quota: 70, held: 0, used: 30 });
  // Of the 50 that were held; what its upstream made after the last checkpoint nobody knows.
  const other = JSON.stringify({ admin_info: { house_loss_at_most: 20 } });
  expect(book.logs.map(({ log, quotaUnits }) => ({ ...log, quotaUnits }))).toEqual([
    {
      ...ROW,
      other,
      type: 2,
      quotaUnits: 30,
      content: JSON.stringify({ say: 'log_interrupted', values: {} }),
    },
    {
      ...ROW,
      other,
      type: 4,
      quotaUnits: 0,
      content: JSON.stringify({ say: 'log_call_charged', values: { id: ID, units: 30 } }),
    },
  ]);
  expect(book.logs.map(({ written }) => written)).toEqual([true, true]);
});

test('a call that used all it held reports no loss', () => {
  const book = bookWithCall({ op: 'checkpoint', id: ID, quotaUnits: 50 });
  expect(applyOps(book, [resolve])).toEqual([true]);
  expect(book.logs.map(({ log }) => log.other)).toEqual(['', '']);
});

test('a hold that is closed, or never was, is not closed again', () => {
  const book = bookWithCall();
  expect(applyOps(book, [resolve, resolve, { ...resolve, id: 'other' }])).toEqual([true, false, false]);
  expect(book.logs).toHaveLength(1);
});
