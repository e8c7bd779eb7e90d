import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { parsedFields } from '../json/fields.ts';
import { storedPhrase } from '../log/stored-phrase.ts';
import type { CallLog } from '../log/log.ts';
import { type Book, type HoldRecord, movementKey, type UserAccount } from './book.ts';
import type { CloseOutcome, Settlement } from './ledger.ts';
import { withAllowance } from './use-allowance.ts';

const closeToken = (book: Book, hold: HoldRecord, charged: number): void => {
  const token = hold.tokenId === null ? undefined : book.tokens.get(hold.tokenId);
  if (token === undefined) return;
  token.held -= hold.tokenAmount;
  token.used += charged;
  const back = hold.tokenAmount - charged;
  if (back >= 0) {
    token.remain += back;
  } else {
    // Charged more than the token contributed: a limited token pays what it still has, the rest counts as newly issued.
    const more = token.unlimited ? 0 : Math.min(-back, token.remain);
    token.remain -= more;
    token.issuedNow += -back - more;
  }
  // If the token's total would exceed the largest exact number, its remaining budget shrinks.
  const beyond = Math.min(
    token.remain,
    Math.max(0, token.remain - (MAX_QUOTA_UNITS - token.held - token.used)),
  );
  token.remain -= beyond;
  token.issuedNow -= beyond;
  token.changed = true;
};

/** How much may be charged beyond the hold: what the user has left, within the token's budget. */
const beyondHold = (book: Book, hold: HoldRecord, user: UserAccount): number => {
  const token = hold.tokenId === null ? undefined : book.tokens.get(hold.tokenId);
  if (token === undefined || token.unlimited) return user.quota;
  // If the budget was set since, the units it did not give to the hold are taken from it first.
  const left = token.remain - (hold.amount - hold.tokenAmount);
  return Math.max(0, Math.min(user.quota, left));
};

const close = (
  book: Book,
  hold: HoldRecord,
  state: 'settled' | 'voided',
  wanted: number,
  nowMs: number,
): CloseOutcome => {
  const user = book.users.get(hold.userId);
  if (user === undefined) return { state: 'missing' };
  const charged = Math.min(wanted, hold.amount + beyondHold(book, hold, user));
  user.quota += hold.amount - charged;
  user.held -= hold.amount;
  user.used += charged;
  if (state === 'settled') user.requestCount += 1;
  user.changed = true;
  closeToken(book, hold, charged);
  takeRest(book, user, { id: hold.id, quotaUnits: hold.keptUnits - charged, nowMs });
  hold.state = state;
  hold.settled = charged;
  hold.houseLoss = wanted - charged;
  hold.closedAtMs = nowMs;
  hold.changed = true;
  return {
    state: 'closed',
    chargedUnits: charged,
    houseLossUnits: hold.houseLoss,
    userQuotaUnits: user.quota,
    userHeldUnits: user.held,
  };
};

/** Takes back what a hold returned after the quota was set meanwhile. Never goes below zero. */
export const takeRest = (
  book: Book,
  user: UserAccount,
  { id, quotaUnits, nowMs }: { readonly id: string; readonly quotaUnits: number; readonly nowMs: number },
): void => {
  const taken = Math.min(quotaUnits, user.quota);
  if (taken <= 0) return;
  user.quota -= taken;
  user.changed = true;
  const entry = { kind: 'admin', ref: restRef(id), userId: user.id, actorId: 0, nowMs } as const;
  const reason = storedPhrase('log_rest_kept');
  book.movements.add(movementKey(entry));
  book.moved.push({ ...entry, deltaUnits: -taken, earnedUnits: 0, reason, quotaAfterUnits: user.quota });
};

/** The journal reference for the part a hold did not give back. */
export const restRef = (holdId: string): string => `rest:${holdId}`;

const closedBefore = ({ state }: HoldRecord): CloseOutcome => ({
  state: 'already_closed',
  wasCharged: state === 'settled',
});

/** held → used, the rest back. A charge above the hold takes what is available; the house pays the remainder. */
export const applySettle = (
  book: Book,
  { id, quotaUnits, nowMs, log, writeLog }: Settlement,
): CloseOutcome => {
  const hold = book.holds.get(id);
  if (hold === undefined) return { state: 'missing' };
  if (hold.state !== 'open') return closedBefore(hold);
  const outcome = close(book, hold, 'settled', quotaUnits, nowMs);
  if (outcome.state === 'closed') {
    const costed = withAllowance(book, log);
    const row = outcome.houseLossUnits > 0 ? withLoss(costed, outcome.houseLossUnits) : costed;
    book.logs.push({ log: row, holdId: id, quotaUnits: outcome.chargedUnits, written: writeLog });
  }
  return outcome;
};

/**
 * Adds the units that the payer could not pay, so that the row's receipt adds up. The field comes last, where the
 * audit looks for it.
 */
const withLoss = (log: CallLog, units: number): CallLog => {
  const other = JSON.stringify({ ...parsedFields(log.other), not_charged_units: units });
  return { ...log, other };
};

/** held → available, the whole amount. */
export const applyVoid = (book: Book, id: string, nowMs: number, log: CallLog | undefined): CloseOutcome => {
  const hold = book.holds.get(id);
  if (hold === undefined) return { state: 'missing' };
  if (hold.state !== 'open') return closedBefore(hold);
  const outcome = close(book, hold, 'voided', 0, nowMs);
  if (log !== undefined && outcome.state === 'closed')
    book.logs.push({ log, holdId: id, quotaUnits: 0, written: true });
  return outcome;
};

/** Records that a call was sent and its cost so far. Ignores a lower cost. */
export const applyCheckpoint = (book: Book, id: string, quotaUnits: number): void => {
  const hold = book.holds.get(id);
  if (hold === undefined || hold.state !== 'open') return;
  hold.sent = true;
  hold.checkpoint = Math.max(hold.checkpoint, quotaUnits);
  hold.changed = true;
};
