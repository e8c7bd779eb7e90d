import { applyResolve } from './abandoned.ts';
import type { Book, LedgerOp } from './book.ts';
import { applyClaim, claimRef } from './claim.ts';
import { applyCheckpoint, applySettle, applyVoid, restRef } from './close.ts';
import { applyMove } from './move.ts';
import { applyKeep, applySet, type SetOutcome } from './set-quota.ts';
import { applyGrow, applyHold } from './take.ts';
import type {
  ClaimOutcome,
  CloseOutcome,
  GrowOutcome,
  HoldOutcome,
  JournalKind,
  MoveOutcome,
} from './ledger.ts';

/** An operation that failed unexpectedly; none of its changes were made. */
export interface FailedOp {
  readonly failed: string;
}

/**
 * The result of each operation. `resolve` returns whether a hold was open, `keep` whether the hold exists; `checkpoint`
 * and `note` return true.
 */
export type OpOutcome =
  | HoldOutcome
  | GrowOutcome
  | CloseOutcome
  | MoveOutcome
  | SetOutcome
  | ClaimOutcome
  | boolean;

const applyOp = (book: Book, op: LedgerOp): OpOutcome => {
  switch (op.op) {
    case 'hold':
      return applyHold(book, op.hold);
    case 'grow':
      return applyGrow(book, op.growth);
    case 'settle':
      return applySettle(book, op.settlement);
    case 'void':
      return applyVoid(book, op.id, op.nowMs, op.log);
    case 'checkpoint':
      applyCheckpoint(book, op.id, op.quotaUnits);
      return true;
    case 'move':
      return op.movement.toUnits === undefined ? applyMove(book, op.movement) : applySet(book, op.movement);
    case 'keep':
      return applyKeep(book, op);
    case 'claim':
      return applyClaim(book, op.claim);
    case 'resolve':
      return applyResolve(book, op.id, op.nowMs);
    case 'note':
      book.logs.push({ log: op.log, holdId: '', quotaUnits: op.log.quotaUnits, written: true });
      return true;
  }
};

/** Applies a batch in order: later operations see the effects of earlier ones. */
export const applyOps = (book: Book, ops: readonly LedgerOp[]): OpOutcome[] =>
  ops.map((op) => applyOp(book, op));

/** Ids of the holds that a batch touches. */
export const holdIdsOf = (ops: readonly LedgerOp[]): string[] => {
  const ids = new Set<string>();
  for (const op of ops) {
    if (op.op === 'hold') ids.add(op.hold.id);
    else if (op.op === 'grow') ids.add(op.growth.id);
    else if (op.op === 'settle') ids.add(op.settlement.id);
    else if ('id' in op) ids.add(op.id);
  }
  return [...ids];
};

/** The journal row an operation would write, if any. */
export const movementOf = (
  op: LedgerOp,
): { readonly kind: JournalKind; readonly ref: string } | undefined => {
  if (op.op === 'move') return op.movement;
  if (op.op === 'keep') return { kind: 'admin', ref: restRef(op.id) };
  return op.op === 'claim' ? { kind: op.claim.kind, ref: claimRef(op.claim) } : undefined;
};

/** Users whose quota a batch sets. */
export const usersSetBy = (ops: readonly LedgerOp[]): number[] =>
  ops.flatMap((op) => (op.op === 'move' && op.movement.toUnits !== undefined ? [op.movement.userId] : []));

/** Users and tokens a batch touches, including those of the holds it closes. */
export const accountsOf = (
  ops: readonly LedgerOp[],
  book: Book,
): { users: Set<number>; tokens: Set<number> } => {
  const users = new Set<number>();
  const tokens = new Set<number>();
  for (const op of ops) {
    if (op.op === 'move') users.add(op.movement.userId);
    if (op.op === 'claim') users.add(op.claim.userId);
    if (op.op !== 'hold') continue;
    users.add(op.hold.userId);
    if (op.hold.tokenId !== null) tokens.add(op.hold.tokenId);
  }
  for (const hold of book.holds.values()) {
    users.add(hold.userId);
    if (hold.tokenId !== null) tokens.add(hold.tokenId);
  }
  return { users, tokens };
};

/** A book without rows, for `apply-ops` to fill. */
export const emptyBook = (): Book => ({
  users: new Map(),
  tokens: new Map(),
  holds: new Map(),
  movements: new Set(),
  names: new Map(),
  vouchers: new Map(),
  allowances: new Map(),
  moved: [],
  logs: [],
  openHolds: [],
});
