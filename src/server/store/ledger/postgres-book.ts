import { claimKinds } from '#contract/codes.ts';
import type { PoolClient } from 'pg';
import { accountsOf, emptyBook, holdIdsOf, movementOf, usersSetBy } from '#core/ledger/apply-ops.ts';
import { type Book, type HoldRecord, type LedgerOp, movementKey, voucherKey } from '#core/ledger/book.ts';
import { loadAllowances } from './postgres-allowances.ts';
import { selectVoucher, type VoucherRow, voucherOf } from '../wallet/voucher-rows.ts';

const byId = (ids: Iterable<number>) => [...ids].sort((one, other) => one - other);

interface HoldRow {
  id: string;
  user_id: number;
  token_id: number | null;
  amount: number;
  token_amount: number;
  state: HoldRecord['state'];
  settled: number;
  house_loss: number;
  sent: number;
  checkpoint: number;
  created_at: number;
  expires_at: number;
  closed_at: number | null;
}

const addHolds = (book: Book, rows: readonly HoldRow[]): void => {
  for (const row of rows) {
    book.holds.set(row.id, {
      id: row.id,
      userId: row.user_id,
      tokenId: row.token_id,
      amount: row.amount,
      tokenAmount: row.token_amount,
      createdAtMs: row.created_at,
      expiresAtMs: row.expires_at,
      state: row.state,
      settled: row.settled,
      houseLoss: row.state === 'open' ? 0 : row.house_loss,
      keptUnits: row.state === 'open' ? row.house_loss : 0,
      sent: row.sent === 1,
      checkpoint: row.checkpoint,
      closedAtMs: row.closed_at,
      isNew: false,
      hasGrown: false,
      changed: false,
    });
  }
};

const OPEN = `FROM holds WHERE state = 'open' AND user_id = ANY($1::bigint[])`;

/** The holds of the batch, and the open ones of users whose quota it sets, locked in one order. */
const loadHolds = async (client: PoolClient, ops: readonly LedgerOp[], book: Book): Promise<void> => {
  const ids = holdIdsOf(ops);
  const users = usersSetBy(ops);
  if (users.length > 0) {
    const { rows } = await client.query<Pick<HoldRow, 'id'>>(`SELECT id ${OPEN}`, [users]);
    ids.push(...rows.map(({ id }) => id));
  }
  if (ids.length === 0) return;
  const query = 'SELECT * FROM holds WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE';
  addHolds(book, (await client.query<HoldRow>(query, [ids])).rows);
};

const loadUsers = async (client: PoolClient, ids: Set<number>, book: Book): Promise<void> => {
  if (ids.size === 0) return;
  const query = `SELECT id, quota, held, used_quota, request_count, aff_quota, status = 1 AND deleted_at IS NULL AS active
    FROM users WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`;
  type Row = Record<'id' | 'quota' | 'held' | 'used_quota' | 'request_count' | 'aff_quota', number> & {
    active: boolean;
  };
  for (const row of (await client.query<Row>(query, [byId(ids)])).rows) {
    book.users.set(row.id, {
      id: row.id,
      quota: row.quota,
      held: row.held,
      used: row.used_quota,
      requestCount: row.request_count,
      earned: row.aff_quota,
      active: row.active,
      changed: false,
    });
  }
};

const loadTokens = async (client: PoolClient, ids: Set<number>, book: Book): Promise<void> => {
  if (ids.size === 0) return;
  const query = `SELECT id, user_id, remain_quota, held, used_quota, accessed_at, unlimited,
      status = 1 AND deleted_at IS NULL AS active
    FROM tokens WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`;
  type Column = 'id' | 'user_id' | 'remain_quota' | 'held' | 'used_quota' | 'accessed_at' | 'unlimited';
  type Row = Record<Column, number> & { active: boolean };
  for (const row of (await client.query<Row>(query, [byId(ids)])).rows) {
    book.tokens.set(row.id, {
      id: row.id,
      userId: row.user_id,
      remain: row.remain_quota,
      held: row.held,
      used: row.used_quota,
      issuedNow: 0,
      accessedAtMs: row.accessed_at,
      unlimited: row.unlimited === 1,
      active: row.active,
      changed: false,
    });
  }
};

const loadMovements = async (client: PoolClient, ops: readonly LedgerOp[], book: Book): Promise<void> => {
  const movements = ops.map(movementOf).filter((movement) => movement !== undefined);
  if (movements.length === 0) return;
  const query = `SELECT kind, ref FROM journal
    WHERE (kind, ref) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;
  const parameters = [movements.map(({ kind }) => kind), movements.map(({ ref }) => ref)];
  const { rows } = await client.query<{ kind: string; ref: string }>(query, parameters);
  for (const row of rows) book.movements.add(movementKey(row));
};

const loadVouchers = async (client: PoolClient, ops: readonly LedgerOp[], book: Book): Promise<void> => {
  for (const kind of claimKinds) {
    const ids = ops.flatMap((op) => (op.op === 'claim' && op.claim.kind === kind ? [op.claim.id] : []));
    if (ids.length === 0) continue;
    const query = selectVoucher(kind, 'id = ANY($1::bigint[]) ORDER BY id FOR UPDATE');
    for (const row of (await client.query<VoucherRow>(query, [ids])).rows) {
      const voucher = voucherOf(kind, row);
      book.vouchers.set(voucherKey(voucher), voucher);
    }
  }
};

/**
 * Read while the users are locked, so that none of their holds is missing. Those that were made since the others were locked are
 * locked too, without waiting for any that another node is writing.
 */
const loadOpenHolds = async (client: PoolClient, ops: readonly LedgerOp[], book: Book): Promise<void> => {
  const users = usersSetBy(ops);
  if (users.length === 0) return;
  const made = `SELECT * ${OPEN} AND id <> ALL($2::text[]) FOR UPDATE SKIP LOCKED`;
  addHolds(book, (await client.query<HoldRow>(made, [users, [...book.holds.keys()]])).rows);
  const { rows } = await client.query<Pick<HoldRow, 'id' | 'user_id' | 'amount'>>(
    `SELECT id, user_id, amount ${OPEN} ORDER BY id`,
    [users],
  );
  for (const { id, user_id: userId, amount } of rows)
    if (!book.holds.has(id)) book.openHolds.push({ id, userId, amount });
};

/** Names are looked up only for calls of a process that has ended; the others include them. */
const loadNames = async (client: PoolClient, ops: readonly LedgerOp[], book: Book): Promise<void> => {
  const ids = ops.flatMap((op) => (op.op === 'resolve' ? [op.id] : []));
  if (ids.length === 0) return;
  const query = `SELECT h.id, u.username, t.name FROM holds h JOIN users u ON u.id = h.user_id
    LEFT JOIN tokens t ON t.id = h.token_id WHERE h.id = ANY($1::text[])`;
  const { rows } = await client.query<{ id: string; username: string; name: string | null }>(query, [ids]);
  for (const { id, username, name } of rows) book.names.set(id, { username, tokenName: name ?? '' });
};

/** Locks and reads everything that a batch may touch. */
export const loadBook = async (client: PoolClient, ops: readonly LedgerOp[]): Promise<Book> => {
  const book = emptyBook();
  await loadVouchers(client, ops, book);
  await loadHolds(client, ops, book);
  const { users, tokens } = accountsOf(ops, book);
  await loadUsers(client, users, book);
  await loadTokens(client, tokens, book);
  await loadAllowances(client, ops, book);
  await loadOpenHolds(client, ops, book);
  await loadMovements(client, ops, book);
  await loadNames(client, ops, book);
  return book;
};
