import { claimKinds } from '#contract/codes.ts';
import type { Pool, PoolClient } from 'pg';
import { applyOps, type FailedOp, type OpOutcome } from '#core/ledger/apply-ops.ts';
import type { Book, HoldRecord, LedgerOp } from '#core/ledger/book.ts';
import { saveAllowances } from './postgres-allowances.ts';
import { loadBook } from './postgres-book.ts';
import { onPostgres } from '../database/postgres/postgres-dialect.ts';
import { type BatchNames, createNameBook } from '../database/postgres/postgres-names.ts';
import { LOG_COLUMNS, LOG_TYPES, logValues } from '../logs/log-columns.ts';
import {
  addSums,
  channelSums,
  daySums,
  hourSums,
  keySums,
  type Sums,
  sumsOf,
} from '../logs/sums/usage-sums.ts';
import { closeVouchers } from '../wallet/voucher-rows.ts';

// A batch is a small fixed number of statements: rows are locked and read, the book works in memory, rows are written
// back. Locks are always taken in the same order (codes and orders, holds, users, tokens, allowances, names, then inserts, then
// channels and hours, each sorted), so nodes may wait for one another but never deadlock.

/** Converts rows to one array per column, as `unnest` needs. */
const transposed = (rows: readonly (readonly unknown[])[], width: number): unknown[][] =>
  Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));

const unnest = (types: readonly string[]) =>
  `unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})`;

const write = async (
  client: PoolClient,
  sql: (rows: string) => string,
  types: readonly string[],
  rows: unknown[][],
) => {
  if (rows.length > 0) await client.query(sql(unnest(types)), transposed(rows, types.length));
};

const bigints = (count: number): string[] => Array.from({ length: count }, () => 'bigint');

const addTo = <Row>(client: PoolClient, sums: Sums<Row>, rows: unknown[][]): Promise<void> =>
  write(client, (list) => addSums(sums, `SELECT * FROM ${list}`), bigints(sums.columns.length), rows);

/**
 * Marks a totalled hour as not totalled any more, because its totals are out of date. The hours are the first column.
 */
const addHours = (client: PoolClient, rows: unknown[][]): Promise<void> =>
  write(
    client,
    (list) =>
      `WITH reopened AS (DELETE FROM totalled_hours WHERE hour = ANY ($1::bigint[])) ${addSums(hourSums, `SELECT * FROM ${list}`)}`,
    bigints(hourSums.columns.length),
    rows,
  );

/** @returns the log row of each hold that got one */
const addLogs = async (client: PoolClient, book: Book, names: BatchNames): Promise<Map<string, number>> => {
  const written = book.logs.filter((entry) => entry.written);
  if (written.length === 0) return new Map();
  const query = `INSERT INTO logs (${LOG_COLUMNS.join(', ')}) SELECT * FROM ${unnest(LOG_TYPES)} RETURNING id`;
  const values = written.map((entry) => logValues(entry, names.idOf));
  const { rows } = await client.query<{ id: number }>(query, transposed(values, LOG_TYPES.length));
  // Rows of one INSERT … SELECT FROM unnest are inserted and returned in the order of the arrays.
  return new Map(written.map(({ holdId }, at) => [holdId, rows[at]?.id ?? 0]));
};

const saveAccounts = async (client: PoolClient, book: Book): Promise<void> => {
  const users = [...book.users.values()].filter(({ changed }) => changed);
  await write(
    client,
    (rows) => `UPDATE users SET quota = u.quota, held = u.held, used_quota = u.used, request_count = u.calls,
        aff_quota = u.earned
      FROM ${rows} AS u (id, quota, held, used, calls, earned) WHERE users.id = u.id`,
    bigints(6),
    users.map(({ id, quota, held, used, requestCount, earned }) => [
      id,
      quota,
      held,
      used,
      requestCount,
      earned,
    ]),
  );
  const tokens = [...book.tokens.values()].filter(({ changed }) => changed);
  await write(
    client,
    (rows) => `UPDATE tokens SET remain_quota = t.remain, held = t.held, used_quota = t.used,
        issued_quota = issued_quota + t.issued, accessed_at = t.accessed
      FROM ${rows} AS t (id, remain, held, used, issued, accessed) WHERE tokens.id = t.id`,
    bigints(6),
    tokens.map(({ id, remain, held, used, issuedNow, accessedAtMs }) => [
      id,
      remain,
      held,
      used,
      issuedNow,
      accessedAtMs,
    ]),
  );
};

const saveHolds = async (
  client: PoolClient,
  book: Book,
  logIds: ReadonlyMap<string, number>,
  nodeId: number,
): Promise<void> => {
  const now = (hold: HoldRecord) => [
    hold.id,
    hold.state,
    hold.settled,
    hold.state === 'open' ? hold.keptUnits : hold.houseLoss,
    hold.sent ? 1 : 0,
    hold.checkpoint,
    hold.closedAtMs,
    logIds.get(hold.id) ?? null,
  ];
  const types = ['text', 'text', ...bigints(6)];
  const changed = [...book.holds.values()].filter((hold) => hold.changed);
  const old = changed.filter((hold) => !hold.isNew);
  await write(
    client,
    (rows) => `UPDATE holds SET state = h.state, settled = h.settled, house_loss = h.loss, sent = h.sent,
        checkpoint = h.checkpoint, closed_at = h.closed, log_id = h.log
      FROM ${rows} AS h (id, state, settled, loss, sent, checkpoint, closed, log) WHERE holds.id = h.id`,
    types,
    old.map(now),
  );
  await write(
    client,
    (rows) => `UPDATE holds SET amount = h.amount, token_amount = h.of_token
      FROM ${rows} AS h (id, amount, of_token) WHERE holds.id = h.id`,
    ['text', 'bigint', 'bigint'],
    old.filter(({ hasGrown }) => hasGrown).map(({ id, amount, tokenAmount }) => [id, amount, tokenAmount]),
  );
  const made = changed.filter((hold) => hold.isNew).sort((one, other) => (one.id < other.id ? -1 : 1));
  await write(
    client,
    (rows) => `INSERT INTO holds (id, state, settled, house_loss, sent, checkpoint, closed_at, log_id,
        user_id, token_id, amount, token_amount, created_at, expires_at, node_id) SELECT * FROM ${rows}`,
    [...types, ...bigints(7)],
    made.map((hold) => [
      ...now(hold),
      hold.userId,
      hold.tokenId,
      hold.amount,
      hold.tokenAmount,
      hold.createdAtMs,
      hold.expiresAtMs,
      nodeId,
    ]),
  );
};

const saveVouchers = async (client: PoolClient, book: Book): Promise<void> => {
  for (const kind of claimKinds) {
    const closed = [...book.vouchers.values()].filter((one) => one.kind === kind);
    await write(
      client,
      (rows) => closeVouchers(kind, rows),
      bigints(3),
      closed.flatMap(({ id, claimed }) =>
        claimed === undefined ? [] : [[id, claimed.atMs, claimed.userId]],
      ),
    );
  }
};

const save = async (client: PoolClient, book: Book, names: BatchNames, nodeId: number): Promise<void> => {
  await saveAccounts(client, book);
  const logIds = await addLogs(client, book, names);
  await saveHolds(client, book, logIds, nodeId);
  await write(
    client,
    (rows) =>
      `INSERT INTO journal (kind, ref, user_id, delta, reason, actor_id, created_at, quota_after, earned)
        SELECT * FROM ${rows}`,
    ['text', 'text', 'bigint', 'bigint', 'text', 'bigint', 'bigint', 'bigint', 'bigint'],
    book.moved.map((m) => [
      m.kind,
      m.ref,
      m.userId,
      m.deltaUnits,
      m.reason,
      m.actorId,
      m.nowMs,
      m.quotaAfterUnits,
      m.earnedUnits,
    ]),
  );
  await write(
    client,
    (rows) => `UPDATE users SET aff_history_quota = aff_history_quota + e.units
      FROM (SELECT id, sum(units)::bigint AS units FROM ${rows} AS r (id, units) GROUP BY id) e
      WHERE users.id = e.id`,
    bigints(2),
    book.moved.flatMap((m) => (m.earnedUnits > 0 ? [[m.userId, m.earnedUnits]] : [])),
  );
  await saveVouchers(client, book);
  await saveAllowances(client, book);
  const channels = channelSums(book.logs);
  if (channels.length > 0) {
    const ids = channels.map(([id]) => id);
    await client.query('SELECT id FROM channels WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE', [
      ids,
    ]);
  }
  await write(
    client,
    (rows) =>
      `UPDATE channels SET used_quota = used_quota + c.quota FROM ${rows} AS c (id, quota) WHERE channels.id = c.id`,
    bigints(2),
    channels,
  );
  // A transaction that changes a key locks its channel first, which was done above.
  await write(
    client,
    (rows) =>
      `UPDATE channel_keys SET used_quota = used_quota + k.quota FROM ${rows} AS k (id, quota) WHERE channel_keys.id = k.id`,
    bigints(2),
    keySums(book.logs),
  );
  const { hours, days } = sumsOf(book.logs, names.idOf);
  await addHours(client, hours);
  await addTo(client, daySums, days);
};

/**
 * Runs ledger batches on PostgreSQL, each in one transaction, and marks their holds as this node's. If a batch fails,
 * it is rolled back and its operations run one by one.
 */
export const createPostgresLedger = (
  pool: Pool,
  nodeId: number,
): ((ops: readonly LedgerOp[]) => Promise<(OpOutcome | FailedOp)[]>) => {
  const namesOf = createNameBook();
  const runTogether = async (ops: readonly LedgerOp[]): Promise<OpOutcome[]> =>
    onPostgres(pool, async (client) => {
      await client.query('BEGIN');
      const book = await loadBook(client, ops);
      const outcomes = applyOps(book, ops);
      const names = await namesOf(client, book.logs);
      await save(client, book, names, nodeId);
      await client.query('COMMIT');
      names.remember();
      return outcomes;
    });
  const runAlone = async (op: LedgerOp): Promise<OpOutcome | FailedOp> => {
    try {
      return (await runTogether([op]))[0] ?? { failed: 'no outcome' };
    } catch (thrown) {
      return { failed: thrown instanceof Error ? String(thrown.cause) : String(thrown) };
    }
  };
  return async (ops) => {
    try {
      return await runTogether(ops);
    } catch (thrown) {
      if (ops.length === 1 || (await unreachable(pool))) throw thrown;
      const outcomes: (OpOutcome | FailedOp)[] = [];
      for (const op of ops) outcomes.push(await runAlone(op));
      return outcomes;
    }
  };
};

const unreachable = async (pool: Pool): Promise<boolean> => {
  try {
    await pool.query('SELECT 1');
    return false;
  } catch {
    return true;
  }
};
