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

test('a call that is refunded is not counted', () => {
  const book = bookOf({ quota: 100 });
  applyOps(book, [hold(50), { op: 'void', id: ID, nowMs: 2, log: undefined }]);
  expect(book.users.get(USER)).toMatchObject({ quota: 100, held: 0, used: 0, requestCount: 0 });
});

test('held and used units count towards the most a user can have, so that every sum stays an exact number', () => {
  const almost = { quota: 10, held: 20, used: MAX_QUOTA_UNITS - 40 };
  expect(outcomeOf(bookOf(almost), move({ deltaUnits: 10 }))).toBe('moved');
  expect(outcomeOf(bookOf(almost), move({ deltaUnits: 11 }))).toBe('would_overflow');
});

test('rewards for invitations stay exact numbers, and never fall below zero', () => {
  const rich = { earned: MAX_QUOTA_UNITS - 5 };
  expect(outcomeOf(bookOf(rich), move({ earnedUnits: 5 }))).toBe('moved');
  expect(outcomeOf(bookOf(rich), move({ earnedUnits: 6 }))).toBe('would_overflow');
  expect(outcomeOf(bookOf({ earned: 4 }), move({ earnedUnits: -5 }))).toBe('would_be_negative');
});

test('a call that costs more than it held takes the rest of its budget, and the house bears what is still missing', () => {
  const book = bookOf({ quota: 1000 }, { remain: 60 });
  const [, closed] = applyOps(book, [hold(50, TOKEN), settle(90)]);
  expect(closed).toMatchObject({ chargedUnits: 60, houseLossUnits: 30 });
  expect(book.tokens.get(TOKEN)).toMatchObject({ remain: 0, held: 0, used: 60, issuedNow: 0 });
  expect(book.users.get(USER)).toMatchObject({ quota: 940, held: 0, used: 60 });
  expect(JSON.parse(book.logs[0]?.log.other ?? '')).toEqual({ not_charged_units: 30 });
});

test('a call is charged no more than a budget that was set while it ran', () => {
  const book = bookOf({ quota: 1000 }, { unlimited: true });
  applyOps(book, [hold(50, TOKEN)]);
  const token = book.tokens.get(TOKEN) as TokenAccount;
  book.tokens.set(TOKEN, { ...token, unlimited: false, remain: 60 });
  expect(outcomeOf(book, settle(90))).toMatchObject({ chargedUnits: 60, houseLossUnits: 30 });
  expect(book.tokens.get(TOKEN)).toMatchObject({ remain: 0, used: 60 });
});

test('a token without a limit contributes no budget: the units it used are issued to it', () => {
  const book = bookOf({ quota: 1000 }, { remain: 60, unlimited: true });
  applyOps(book, [hold(50, TOKEN), settle(90)]);
  expect(book.tokens.get(TOKEN)).toMatchObject({ remain: 60, held: 0, used: 90, issuedNow: 90 });
});

test('a budget at the maximum is lowered by what was really used', () => {
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
    userHeldUnits: 0,
  });
});

const grow = (quotaUnits: number, leastUnits = quotaUnits): LedgerOp => ({
  op: 'grow',
  growth: { id: ID, quotaUnits, leastUnits },
});
const heldOf = (book: Book) => [
  book.users.get(USER)?.quota,
  book.users.get(USER)?.held,
  book.tokens.get(TOKEN)?.remain,
  book.tokens.get(TOKEN)?.held,
];

test('a hold that grows takes the difference to its new total from user and token, and once only', () => {
  const book = bookOf({ quota: 100 }, { remain: 80 });
  expect(applyOps(book, [hold(30, TOKEN), grow(50), grow(50), grow(40)])).toEqual([
    'held',
    { state: 'grown', quotaUnits: 50 },
    { state: 'grown', quotaUnits: 50 },
    { state: 'grown', quotaUnits: 50 },
  ]);
  expect(heldOf(book)).toEqual([50, 50, 30, 50]);
  applyOps(book, [settle(45)]);
  expect(heldOf(book)).toEqual([55, 0, 35, 0]);
});

test('a hold that cannot grow as far as it must stays unchanged, and the error names who lacks how much', () => {
  const book = bookOf({ quota: 100 }, { remain: 40 });
  applyOps(book, [hold(30, TOKEN)]);
  expect(outcomeOf(book, grow(41))).toEqual({ state: 'token_short', availableUnits: 10, heldUnits: 30 });
  expect(outcomeOf(book, grow(101))).toEqual({ state: 'user_short', availableUnits: 70, heldUnits: 30 });
  expect(heldOf(book)).toEqual([70, 30, 10, 30]);
});

test('a hold that may grow in part takes what is left, of user and token alike', () => {
  const book = bookOf({ quota: 100 }, { remain: 40 });
  applyOps(book, [hold(30, TOKEN)]);
  expect(outcomeOf(book, grow(200, 31))).toEqual({ state: 'grown', quotaUnits: 40 });
  expect(heldOf(book)).toEqual([60, 40, 0, 40]);
  expect(outcomeOf(book, grow(200, 0))).toEqual({ state: 'grown', quotaUnits: 40 });
});

test('a hold that is closed does not grow any more, and one that never was does not begin', () => {
  const book = bookOf({ quota: 100 });
  expect(outcomeOf(book, grow(10))).toEqual({ state: 'missing' });
  applyOps(book, [hold(30), settle(10)]);
  expect(outcomeOf(book, grow(50))).toEqual({ state: 'already_closed' });
  expect(heldOf(book).slice(0, 2)).toEqual([90, 0]);
});

test('a hold that grew is charged its last checkpoint after a crash, up to all of what it holds', () => {
  const book = bookOf({ quota: 100 });
  const checkpoint: LedgerOp = { op: 'checkpoint', id: ID, quotaUnits: 90 };
  applyOps(book, [hold(30), grow(80), checkpoint, { op: 'resolve', id: ID, nowMs: 200 }]);
  expect(book.users.get(USER)).toMatchObject({ quota: 20, held: 0, used: 80 });
});

test('a token that was given a limit while a call ran pays for what the hold grows by, and no more', () => {
  const book = bookOf({ quota: 100 }, { remain: 20, unlimited: true });
  applyOps(book, [hold(30, TOKEN)]);
  book.tokens.set(TOKEN, { ...(book.tokens.get(TOKEN) as TokenAccount), unlimited: false });
  expect(outcomeOf(book, grow(60, 31))).toEqual({ state: 'grown', quotaUnits: 50 });
  expect(heldOf(book)).toEqual([50, 50, 0, 20]);
});

test('a payer with less than a call requests holds what there is, if that suffices, and learns how much', () => {
  const wanting = (quotaUnits: number, leastUnits: number, mostUnits: number): LedgerOp => ({
    op: 'hold',
    hold: {
      id: ID,
      userId: USER,
      tokenId: TOKEN,
      quotaUnits,
      leastUnits,
      mostUnits,
      nowMs: 1,
      expiresAtMs: 9,
    },
  });
  const opened = () => bookOf({ quota: 100 }, { remain: 40 });
  expect(outcomeOf(opened(), wanting(50, 20, 0))).toEqual({
    state: 'held',
    quotaUnits: 40,
    payableUnits: 40,
  });
  expect(outcomeOf(opened(), wanting(30, 20, 41))).toEqual({
    state: 'held',
    quotaUnits: 30,
    payableUnits: 40,
  });
  expect(outcomeOf(opened(), wanting(30, 20, 40))).toBe('held');
  expect(outcomeOf(opened(), wanting(50, 41, 0))).toMatchObject({ state: 'token_short', availableUnits: 40 });
});

test('a hold takes the most a call may cost where it is asked to and all of that can be paid', () => {
  const taken = (quota: number, takesMost: boolean, mostFromUnits?: number): unknown => {
    const book = bookOf({ quota });
    const { hold: asked } = hold(30) as LedgerOp & { readonly op: 'hold' };
    applyOps(book, [{ op: 'hold', hold: { ...asked, mostUnits: 80, takesMost, mostFromUnits } }]);
    return book.holds.get(ID)?.amount;
  };
  expect([taken(80, true), taken(80, false), taken(79, true)]).toEqual([80, 30, 30]);
  expect([taken(99, true, 100), taken(100, true, 100)]).toEqual([30, 80]);
});

test('a closed hold remembers what was charged and when; a token, when it was last used', () => {
  const book = bookOf({ quota: 100 }, { remain: 100, accessedAtMs: 0 });
  applyOps(book, [hold(50, TOKEN), settle(20)]);
  expect(book.holds.get(ID)).toMatchObject({ state: 'settled', settled: 20, houseLoss: 0, closedAtMs: 2 });
  expect([book.users.get(USER)?.requestCount, book.tokens.get(TOKEN)?.accessedAtMs]).toEqual([1, 1]);
});

test('what a token has left shrinks where its sum would be no exact number', () => {
  const book = bookOf({ quota: 100 }, { remain: 50 });
  applyOps(book, [hold(50, TOKEN)]);
  const token = book.tokens.get(TOKEN) as TokenAccount;
  token.remain = MAX_QUOTA_UNITS - 10;
  // Of another call.
  token.held += 5;
  applyOps(book, [settle(20)]);
  expect(token).toMatchObject({ remain: MAX_QUOTA_UNITS - 25, held: 5, used: 20 });
});

test('a hold grows by the least it needs where exactly that is left', () => {
  const grownIn = (book: Book): OpOutcome | undefined => applyOps(book, [hold(50, TOKEN), grow(200, 100)])[1];
  const grown = { state: 'grown', quotaUnits: 100 };
  expect(grownIn(bookOf({ quota: 100 }, { remain: 500 }))).toEqual(grown);
  expect(grownIn(bookOf({ quota: 500 }, { remain: 100 }))).toEqual(grown);
  expect(grownIn(bookOf({ quota: 99 }, { remain: 500 }))).toMatchObject({ state: 'user_short' });
  expect(grownIn(bookOf({ quota: 500 }, { remain: 99 }))).toMatchObject({ state: 'token_short' });
});
