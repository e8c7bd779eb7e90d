import type { ClearedRows, LogClearingStore } from '#core/log/log-clearing-store.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { unpackHours } from './packs/call-packs.ts';
import { countByStretch } from './log-count.ts';
import { addSums, daySums, hourSums, type Sums } from './sums/usage-sums.ts';
import { HOUR_MS } from '#core/time/spans.ts';

const NOBODY = {
  type: undefined,
  user_id: undefined,
  token_id: undefined,
  token_name_id: undefined,
  model_id: undefined,
  channel_id: undefined,
  group_id: undefined,
  program_id: undefined,
};

const minus = (sum: string): string => `CAST(-${sum} AS BIGINT)`;

/** The value of a row in each summed column. The key's columns are columns of the log; other sums stay unchanged. */
const TAKEN: Readonly<Record<string, string>> = {
  hour: `created_at / ${HOUR_MS}`,
  day: `created_at / ${24 * HOUR_MS}`,
  log_rows: minus('count(*)'),
  log_quota: minus('sum(quota)'),
};

/** In the order of the key, as the ledger adds, so that two transactions never deadlock. */
const takeFrom = async <Row>(
  transaction: Kysely<Schema>,
  sums: Sums<Row>,
  ids: readonly number[],
): Promise<void> => {
  const key = sums.key.map((column) => TAKEN[column] ?? column);
  const added = sums.added.map((column) => TAKEN[column] ?? '0');
  const rows = `SELECT ${[...key, ...added].join(', ')} FROM logs WHERE logs.id IN (|)
    GROUP BY ${key.join(', ')} ORDER BY ${key.map((_, at) => at + 1).join(', ')}`;
  const [before = '', after = ''] = addSums(sums, rows).split('|');
  await sql`${sql.raw(before)}${sql.join(ids)}${sql.raw(after)}`.execute(transaction);
};

/** Subtracts rows from the sums that count stored log rows; calls and charges stay counted. */
const takeFromSums = async (transaction: Kysely<Schema>, ids: readonly number[]): Promise<void> => {
  await takeFrom(transaction, hourSums, ids);
  await takeFrom(transaction, daySums, ids);
};

/** The time up to which rows were ever deleted, so that the audit does not report them as missing. */
export const CLEARED_BEFORE = 'logs_cleared_before';

const keepCleared = (transaction: Kysely<Schema>, beforeMs: number): Promise<unknown> =>
  sql`INSERT INTO facts (key, value) VALUES (${CLEARED_BEFORE}, ${String(beforeMs)})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
    WHERE CAST(facts.value AS BIGINT) < CAST(excluded.value AS BIGINT)`.execute(transaction);

const deleteSome = (database: Database, { beforeMs, upToId }: ClearedRows, limit: number): Promise<number> =>
  database.writer.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('logs')
      .select(['id', 'request_id', 'created_at'])
      .where('created_at', '<', beforeMs)
      .where('id', '<=', upToId)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return 0;
    await keepCleared(transaction, last.created_at + 1);
    const ids = rows.map(({ id }) => id);
    const calls = rows.flatMap(({ request_id }) => (request_id === '' ? [] : [request_id])).sort();
    // A settled hold stays without its row, as it does if logging is off.
    if (calls.length > 0)
      await transaction
        .updateTable('holds')
        .set({ log_id: null })
        .where('id', 'in', calls)
        .where('log_id', 'in', ids)
        .execute();
    await takeFromSums(transaction, ids);
    await unpackHours(transaction, [...new Set(rows.map((row) => Math.floor(row.created_at / HOUR_MS)))]);
    await transaction.deleteFrom('logs').where('id', 'in', ids).execute();
    return rows.length;
  });

/** Clearing logs in the database. */
export const createLogClearingStore = (database: Database): LogClearingStore => ({
  countBefore: async (beforeMs) => {
    const counts = await countByStretch(database.reader, NOBODY, { fromMs: 0, toMs: beforeMs - 1 });
    return counts.reduce((sum, { rows }) => sum + rows, 0);
  },
  deleteSome: (rows, limit) => deleteSome(database, rows, limit),
});
