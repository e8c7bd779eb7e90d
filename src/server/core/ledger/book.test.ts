import { expect, test } from 'vitest';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { noUsage } from '../chat/usage.ts';
import type { CallLog } from '../log/log.ts';
import { applyOps, emptyBook, type OpOutcome } from './apply-ops.ts';
import type { Book, LedgerOp, TokenAccount, UserAccount } from './book.ts';

/** Tests what the rules do to one book. Loading and locking are tested in `store/`. */

const USER = 7;
const TOKEN = 3;
const ID = 'call';

const bookOf = (user: Partial<UserAccount>, token?: Partial<TokenAccount>): Book => {
  const book = emptyBook();
  const account = { quota: 0, held: 0, used: 0, requestCount: 0, earned: 0, active: true, changed: false };
  book.users.set(USER, { ...account, ...user, id: USER });
  if (token !== undefined) {
    const empty = {
      remain: 0,
      held: 0,
      used: 0,
      issuedNow: 0,
      accessedAtMs: 0,
      active: true,
      changed: false,
    };
    book.tokens.set(TOKEN, { ...empty, unlimited: false, ...token, id: TOKEN, userId: USER });
  }
  return book;
};

const hold = (quotaUnits: number, tokenId: number | null = null): LedgerOp => ({
  op: 'hold',
  hold: { id: ID, userId: USER, tokenId, quotaUnits, nowMs: 1, expiresAtMs: 100 },
});

const log: CallLog = {
  requestId: ID,
  createdAtMs: 1,
  type: 2,
  userId: USER,
  username: '',
  tokenId: 0,
  tokenName: '',
  channelId: 0,
  group: '',
  model: 'm',
  usage: noUsage,
  quotaUnits: 0,
  useTimeMs: 0,
  isStream: false,
  ip: '',
  content: '',
  other: '',
};

const settle = (quotaUnits: number): LedgerOp => ({
  op: 'settle',
  settlement: { id: ID, quotaUnits, nowMs: 2, log, writeLog: true },
});

const move = (amounts: { deltaUnits?: number; earnedUnits?: number }): LedgerOp => ({
  op: 'move',
  movement: {
    kind: 'admin',
    ref: 'ref',
    userId: USER,
    deltaUnits: 0,
    reason: '',
    actorId: 1,
    nowMs: 1,
    ...amounts,
  },
});

const outcomeOf = (book: Book, op: LedgerOp): OpOutcome | undefined => applyOps(book, [op])[0];

test('a checkpoint never lowers what a call is known to have cost', () => {
  const book = bookOf({ quota: 100 });
  const checkpoint = (quotaUnits: number): LedgerOp => ({ op: 'checkpoint', id: ID, quotaUnits });
  applyOps(book, [hold(50), checkpoint(30), checkpoint(20)]);
  applyOps(book, [{ op: 'resolve', id: ID, nowMs: 200 }]);
  expect(book.users.get(USER)).toMatchObject({ quota: 70, held: 0, used: 30 });
});

test('a call that is given back is not counted as one', () => {
  const book = bookOf({ quota: 100 });
  applyOps(book, [hold(50), { op: 'void', id: ID, nowMs: 2, log: undefined }]);
  expect(book.users.get(USER)).toMatchObject({ quota: 100, held: 0, used: 0, requestCount: 0 });
});

test('what is held and used counts to the most a user can have, so that no sum leaves the exact numbers', () => {
  const almost = { quota: 10, held: 20, used: MAX_QUOTA_UNITS - 40 };
  expect(outcomeOf(bookOf(almost), move({ deltaUnits: 10 }))).toBe('moved');
  expect(outcomeOf(bookOf(almost), move({ deltaUnits: 11 }))).toBe('would_overflow');
});

test('what inviting others has earned stays within the exact numbers, and is never below zero', () => {
  const rich = { earned: MAX_QUOTA_UNITS - 5 };
  expect(outcomeOf(bookOf(rich), move({ earnedUnits: 5 }))).toBe('moved');
  expect(outcomeOf(bookOf(rich), move({ earnedUnits: 6 }))).toBe('would_overflow');
  expect(outcomeOf(bookOf({ earned: 4 }), move({ earnedUnits: -5 }))).toBe('would_be_negative');
});

test('a token that gave less than a call cost gives what it has left; the rest is written down as newly issued', () => {
  const book = bookOf({ quota: 1000 }, { remain: 60 });
  applyOps(book, [hold(50, TOKEN), settle(90)]);
  expect(book.tokens.get(TOKEN)).toMatchObject({ remain: 0, held: 0, used: 90, issuedNow: 30 });
});

test('a token without a limit gives nothing of its own: what it used is issued to it', () => {
  const book = bookOf({ quota: 1000 }, { remain: 60, unlimited: true });
  applyOps(book, [hold(50, TOKEN), settle(90)]);
  expect(book.tokens.get(TOKEN)).toMatchObject({ remain: 60, held: 0, used: 90, issuedNow: 90 });
});

test('a budget at the very top makes way for what was really used', () => {
  const book = bookOf({ quota: 1000 }, { remain: MAX_QUOTA_UNITS, unlimited: true });
  applyOps(book, [hold(50, TOKEN), settle(90)]);
  expect(book.tokens.get(TOKEN)).toMatchObject({ remain: MAX_QUOTA_UNITS - 90, used: 90, issuedNow: 0 });
});

test('a charge above the hold takes what is available, then the house pays', () => {
  const book = bookOf({ quota: 100 });
  applyOps(book, [hold(60)]);
  expect(outcomeOf(book, settle(150))).toEqual({
    state: 'closed',
    chargedUnits: 100,
    houseLossUnits: 50,
    userQuotaUnits: 0,
  });
});
