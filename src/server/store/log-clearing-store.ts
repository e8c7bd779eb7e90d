import type { LogClearingStore } from '#core/log/log-clearing-store.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';
import { countByStretch } from './log-count.ts';
import { addDays, HOUR_MS, USAGE_COLUMNS, USAGE_CONFLICT } from './usage-sums.ts';

const NOBODY = {
  type: undefined,
  user_id: undefined,
  token_name_id: undefined,
  model_id: undefined,
  channel_id: undefined,
  group_id: undefined,
};

const USAGE_KEYS = 'type, user_id, token_name_id, model_id, channel_id, group_id';
const DAY_KEYS = 'type, model_id, channel_id, group_id';
const minus = (sum: string): string => `CAST(-${sum} AS BIGINT)`;

/** Takes rows out of the sums of what the logs still have; what was called and charged stays in them. */
const takeFromSums = async (transaction: Kysely<Schema>, ids: readonly number[]): Promise<void> => {
  const chosen = sql`logs.id IN (${sql.join(ids)})`;
  // In the order of the keys, as the ledger adds them: two that meet wait for one another, never in a circle.
  await sql`${sql.raw(
    `INSERT INTO usage_hours (${USAGE_COLUMNS.join(', ')})
     SELECT created_at / ${HOUR_MS}, ${USAGE_KEYS}, 0, 0, 0, 0, ${minus('count(*)')}, ${minus('sum(quota)')}
     FROM logs WHERE `,
  )}${chosen}${sql.raw(
    ` GROUP BY created_at / ${HOUR_MS}, ${USAGE_KEYS} ORDER BY 1, 2, 3, 4, 5, 6, 7 ${USAGE_CONFLICT}`,
  )}`.execute(transaction);
  const [insert = '', conflict = ''] = addDays('|').split('|');
  await sql`${sql.raw(
    `${insert} SELECT created_at / ${24 * HOUR_MS}, ${DAY_KEYS}, ${minus('count(*)')}, ${minus('sum(quota)')}
     FROM logs WHERE `,
  )}${chosen}${sql.raw(
    ` GROUP BY created_at / ${24 * HOUR_MS}, ${DAY_KEYS} ORDER BY 1, 2, 3, 4, 5 ${conflict}`,
  )}`.execute(transaction);
};

const deleteSomeBefore = (database: Database, beforeMs: number, limit: number): Promise<number> =>
  database.writer.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('logs')
      .select(['id', 'request_id'])
      .where('created_at', '<', beforeMs)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    const calls = rows.flatMap(({ request_id }) => (request_id === '' ? [] : [request_id])).sort();
    // A settled call goes on without its row, as it does where logging is off.
    if (calls.length > 0)
      await transaction
        .updateTable('holds')
        .set({ log_id: null })
        .where('id', 'in', calls)
        .where('log_id', 'in', ids)
        .execute();
    await takeFromSums(transaction, ids);
    await transaction.deleteFrom('logs').where('id', 'in', ids).execute();
    return rows.length;
  });

/** Clearing logs in the database. */
export const createLogClearingStore = (database: Database): LogClearingStore => ({
  countBefore: async (beforeMs) => {
    const counts = await countByStretch(database.reader, NOBODY, { fromMs: 0, toMs: beforeMs - 1 });
    return counts.reduce((sum, { rows }) => sum + rows, 0);
  },
  deleteSomeBefore: (beforeMs, limit) => deleteSomeBefore(database, beforeMs, limit),
});
