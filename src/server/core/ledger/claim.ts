import { type Book, voucherKey } from './book.ts';
import { applyMove } from './move.ts';
import type { Claim, ClaimKind, ClaimOutcome } from './ledger.ts';

/** The journal's reference of a claim: the audit finds the code or order by it. */
export const claimRef = ({ kind, id }: { readonly kind: ClaimKind; readonly id: number }): string =>
  kind === 'redeem' ? `redemption:${id}` : `order:${id}`;

/** Turns a code or order into quota, once: closes it and writes the movement and its log row. */
export const applyClaim = (book: Book, claim: Claim): ClaimOutcome => {
  const { userId, reason, nowMs, log } = claim;
  const voucher = book.vouchers.get(voucherKey(claim));
  if (voucher === undefined || (voucher.ownerId ?? userId) !== userId) return { state: 'missing' };
  if (!voucher.isOpen) return { state: 'taken' };
  if (voucher.expiresAtMs !== null && voucher.expiresAtMs <= nowMs) return { state: 'expired' };
  const { kind, quotaUnits } = voucher;
  const outcome = applyMove(book, {
    kind,
    ref: claimRef(claim),
    userId,
    deltaUnits: quotaUnits,
    reason,
    actorId: userId,
    nowMs,
  });
  if (outcome === 'duplicate') return { state: 'taken' };
  if (outcome !== 'moved') return { state: outcome === 'user_missing' ? outcome : 'would_overflow' };
  voucher.isOpen = false;
  voucher.claimed = { userId, atMs: nowMs };
  book.logs.push({ log: { ...log, quotaUnits }, holdId: '', quotaUnits, written: true });
  return { state: 'claimed', quotaUnits, userQuotaUnits: book.users.get(userId)?.quota ?? 0 };
};
