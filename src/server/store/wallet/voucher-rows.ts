import { redemptionStatus } from '#contract/codes.ts';
import type { Voucher } from '#core/ledger/book.ts';
import type { ClaimKind } from '#core/ledger/ledger.ts';

/** How both engines read and write codes and orders beside a ledger batch. */

/** A row of either `voucherColumns`. */
export interface VoucherRow {
  readonly id: number;
  readonly quota: number;
  /** 0 if anybody may claim it. */
  readonly owner: number;
  readonly expires: number | null;
  /** 1 while it can be claimed. */
  readonly open: number;
}

const tables = {
  redeem: {
    table: 'redemptions',
    columns: `id, quota, 0 AS owner, expires_at AS expires,
      CASE WHEN status = ${redemptionStatus.unused} AND deleted_at IS NULL THEN 1 ELSE 0 END AS open`,
    close: (at: string, by: string) =>
      `status = ${redemptionStatus.used}, redeemed_at = ${at}, used_user_id = ${by}`,
  },
  topup: {
    table: 'top_up_orders',
    columns: `id, quota, user_id AS owner, NULL AS expires,
      CASE WHEN status = 'pending' THEN 1 ELSE 0 END AS open`,
    close: (at: string) => `status = 'paid', paid_at = ${at}`,
  },
} as const satisfies Record<
  ClaimKind,
  { table: string; columns: string; close: (at: string, by: string) => string }
>;

/** Reads codes or orders in the columns of `VoucherRow`; `where` must be our own text, never a caller's. */
export const selectVoucher = (kind: ClaimKind, where: string): string =>
  `SELECT ${tables[kind].columns} FROM ${tables[kind].table} WHERE ${where}`;

/** Closes one; the parameters are the time, the user (codes only) and the id, in this order. */
export const closeVoucher = (kind: ClaimKind): string =>
  `UPDATE ${tables[kind].table} SET ${tables[kind].close('?', '?')} WHERE id = ?`;

/** Closes many; `rows` provides the id, time and user of each. */
export const closeVouchers = (kind: ClaimKind, rows: string): string =>
  `UPDATE ${tables[kind].table} SET ${tables[kind].close('closed.at', 'closed.by_user')}
    FROM ${rows} AS closed (id, at, by_user) WHERE ${tables[kind].table}.id = closed.id`;

/** Converts a row to a voucher. An owner of 0 means anybody. */
export const voucherOf = (kind: ClaimKind, row: VoucherRow): Voucher => ({
  kind,
  id: row.id,
  quotaUnits: row.quota,
  ownerId: row.owner === 0 ? null : row.owner,
  expiresAtMs: row.expires,
  isOpen: row.open === 1,
  claimed: undefined,
});
