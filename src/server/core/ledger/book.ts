import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { parsedFields } from '../json/fields.ts';
import { keptPhrase, withValues } from '../log/kept-phrase.ts';
import type { CallLog } from '../log/log.ts';
import type {
  Claim,
  ClaimKind,
  CloseOutcome,
  Growth,
  Hold,
  JournalKind,
  MoveOutcome,
  Movement,
  Settlement,
} from './ledger.ts';

/** A user's money during a batch. `changed`: write it back afterwards. */
export interface UserAccount {
  readonly id: number;
  quota: number;
  held: number;
  used: number;
  requestCount: number;
  /** Invite earnings not yet turned into quota. */
  earned: number;
  /** Enabled and not deleted. */
  readonly active: boolean;
  changed: boolean;
}

/** A token as a batch of the ledger sees it; amounts in quota units. */
export interface TokenAccount {
  readonly id: number;
  readonly userId: number;
  remain: number;
  held: number;
  used: number;
  /** Units that were created because the token was used beyond its budget, or has none. */
  issuedNow: number;
  accessedAtMs: number;
  readonly unlimited: boolean;
  readonly active: boolean;
  changed: boolean;
}

/** A hold as a batch of the ledger sees it, in quota units. `houseLoss` is the part nobody paid. */
export interface HoldRecord {
  readonly id: string;
  readonly userId: number;
  readonly tokenId: number | null;
  amount: number;
  /** Units the token contributed: 0 if it was unlimited. */
  tokenAmount: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  state: 'open' | 'settled' | 'voided';
  settled: number;
  houseLoss: number;
  /** The part of the amount that is not given back, because the user's quota was set while it was held. */
  keptUnits: number;
  sent: boolean;
  checkpoint: number;
  closedAtMs: number | null;
  readonly isNew: boolean;
  hasGrown: boolean;
  changed: boolean;
}

/** A redemption code or a top-up order: quota waiting to be claimed. */
export interface Voucher {
  readonly kind: ClaimKind;
  readonly id: number;
  readonly quotaUnits: number;
  /** The user who may claim it; null if anybody may. */
  readonly ownerId: number | null;
  readonly expiresAtMs: number | null;
  isOpen: boolean;
  /** Undefined unless it was claimed in this batch. */
  claimed: { readonly userId: number; readonly atMs: number } | undefined;
}

/** A row of the journal, with the balance right after it. */
export type JournalEntry = Omit<Movement, 'kind' | 'toUnits' | 'read' | 'log'> & {
  readonly kind: JournalKind;
  readonly earnedUnits: number;
  readonly quotaAfterUnits: number;
};

/** A row of the log and the hourly sums. */
export interface LogEntry {
  readonly log: CallLog;
  /** The hold it belongs to; empty if none. */
  readonly holdId: string;
  readonly quotaUnits: number;
  /** False if it counts only in the sums. */
  readonly written: boolean;
}

/** Everything one batch may touch, loaded and locked before it starts. */
export interface Book {
  readonly users: Map<number, UserAccount>;
  readonly tokens: Map<number, TokenAccount>;
  readonly holds: Map<string, HoldRecord>;
  /** (kind, ref) of the batch's movements that already exist, in the form of `movementKey`. */
  readonly movements: Set<string>;
  /** Who made the calls to be closed, by hold. */
  readonly names: Map<string, { readonly username: string; readonly tokenName: string }>;
  /** The codes and orders of the batch's claims, in the form of `voucherKey`. */
  readonly vouchers: Map<string, Voucher>;
  readonly moved: JournalEntry[];
  readonly logs: LogEntry[];
  /** The open holds of users whose quota is set in this batch, without those in `holds`. */
  readonly openHolds: OpenHold[];
}

/** A hold that a batch only reads. */
export interface OpenHold {
  readonly id: string;
  readonly userId: number;
  readonly amount: number;
}

/** One operation of a batch that the ledger writes in one transaction. */
export type LedgerOp =
  | { readonly op: 'hold'; readonly hold: Hold }
  | { readonly op: 'grow'; readonly growth: Growth }
  | { readonly op: 'settle'; readonly settlement: Settlement }
  | { readonly op: 'void'; readonly id: string; readonly nowMs: number; readonly log: CallLog | undefined }
  | { readonly op: 'checkpoint'; readonly id: string; readonly quotaUnits: number }
  | { readonly op: 'move'; readonly movement: Movement }
  | { readonly op: 'claim'; readonly claim: Claim }
  /** A hold that was open when its user's quota was set: this part of it is not given back. */
  | { readonly op: 'keep'; readonly id: string; readonly quotaUnits: number; readonly nowMs: number }
  | { readonly op: 'resolve'; readonly id: string; readonly nowMs: number }
  /** A log row that is not a call. */
  | { readonly op: 'note'; readonly log: CallLog };

/** The unique key of a movement: its kind and its reference. */
export const movementKey = ({ kind, ref }: { readonly kind: string; readonly ref: string }): string =>
  `${kind} ${ref}`;

/** The unique key of a voucher: its kind and its id. */
export const voucherKey = ({ kind, id }: { readonly kind: ClaimKind; readonly id: number }): string =>
  `${kind} ${id}`;

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
  const reason = keptPhrase('log_rest_kept');
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
    const row = outcome.houseLossUnits > 0 ? withLoss(log, outcome.houseLossUnits) : log;
    book.logs.push({ log: row, holdId: id, quotaUnits: outcome.chargedUnits, written: writeLog });
  }
  return outcome;
};

/** The row records what its payer did not pay, so that its receipt adds up. It stays last: the audit looks there. */
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

/** Applies a movement. A user's total stays within the numbers JavaScript holds exactly. */
export const applyMove = (
  book: Book,
  movement: Omit<Movement, 'kind'> & { readonly kind: JournalKind },
): MoveOutcome => {
  const key = movementKey(movement);
  if (book.movements.has(key)) return 'duplicate';
  const user = book.users.get(movement.userId);
  if (user === undefined) return 'user_missing';
  const { toUnits, read: _, log, earnedUnits = 0, ...entry } = movement;
  const deltaUnits = toUnits === undefined ? movement.deltaUnits : toUnits - user.quota;
  if (user.quota + deltaUnits < 0 || user.earned + earnedUnits < 0) return 'would_be_negative';
  if (deltaUnits > MAX_QUOTA_UNITS - user.quota - user.held - user.used) return 'would_overflow';
  if (earnedUnits > MAX_QUOTA_UNITS - user.earned) return 'would_overflow';
  const before = user.quota;
  user.quota += deltaUnits;
  user.earned += earnedUnits;
  user.changed = true;
  book.movements.add(key);
  book.moved.push({ ...entry, deltaUnits, earnedUnits, quotaAfterUnits: user.quota });
  if (log !== undefined) {
    const content = toUnits === undefined ? log.content : withValues(log.content, { before, after: toUnits });
    book.logs.push({ log: { ...log, content }, holdId: '', quotaUnits: log.quotaUnits, written: true });
  }
  return 'moved';
};
