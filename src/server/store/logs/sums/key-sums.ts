import { sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { KeySums, UsageFilter, UsageHourOf } from '#core/usage/usage-store.ts';
import type { Database } from '../../database/database.ts';
import { whose } from './usage-filters.ts';
import { FEWEST, readSums } from './usage-totals.ts';
import { HOUR_MS } from '#core/time/spans.ts';

/** The number of latest calls whose first-token times are read: reading those of a month would take seconds. */
const LATEST_CALLS = 2000;

/** 95 of 100 values are at most this; null without values. */
const p95 = (values: readonly number[]): number | null =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? null;

/** The times to the first token of the streamed ones among the latest calls, in milliseconds. */
const firstTokens = async ({ engine, reader }: Database, filter: UsageFilter): Promise<number[]> => {
  // Quotes inside a log text are escaped, so this matches only the field itself.
  const ms =
    engine === 'postgres'
      ? sql`substring(l.other FROM '"frt":([0-9]{1,9})')`
      : sql`CASE WHEN instr(l.other, '"frt":') > 0
          THEN CAST(substr(l.other, instr(l.other, '"frt":') + 6, 9) AS INTEGER) END`;
  const { rows } = await sql<{ readonly ms: number | string | null }>`
    SELECT ${ms} AS ms FROM (
      SELECT id AS row_id FROM logs
      WHERE type = ${logType.consume} AND created_at >= ${filter.fromMs} AND created_at <= ${filter.toMs} ${whose(filter)}
      ORDER BY created_at DESC, id DESC LIMIT ${LATEST_CALLS}
    ) latest JOIN logs l ON l.id = latest.row_id WHERE l.is_stream = 1`.execute(reader);
  // Negative if no token came.
  return rows.flatMap((row) => (row.ms === null || Number(row.ms) < 0 ? [] : [Number(row.ms)]));
};

/** Reads how calls ended, how much of their prompts was cached, and how long first tokens took. */
export const readKeySums = async (database: Database, filter: UsageFilter): Promise<KeySums> => {
  const charged = sql`type = ${logType.consume}`;
  const [{ rows }, tokens] = await Promise.all([
    readSums(database, filter, (moment, rowsOf) =>
      sql<Readonly<Record<'answered' | 'failed' | 'prompt' | 'cached', number | string | null>>>`
        SELECT SUM(CASE WHEN ${charged} THEN calls ELSE 0 END) AS answered,
          SUM(CASE WHEN ${charged} THEN 0 ELSE calls END) AS failed,
          SUM(CASE WHEN ${charged} THEN prompt_tokens ELSE 0 END) AS prompt,
          SUM(CASE WHEN ${charged} THEN cached_tokens ELSE 0 END) AS cached
        FROM ${rowsOf(FEWEST)}`.execute(moment),
    ),
    firstTokens(database, filter),
  ]);
  const { answered, failed, prompt, cached } = rows[0] ?? {};
  return {
    answered: Number(answered ?? 0),
    failed: Number(failed ?? 0),
    promptTokens: Number(prompt ?? 0),
    cachedTokens: Number(cached ?? 0),
    firstTokenP95Ms: p95(tokens),
    firstTokenCalls: tokens.length,
  };
};

/** The current names for each kind. */
const kinds = {
  channel: sql`SELECT id, name FROM channels`,
  user: sql`SELECT id, username AS name FROM users`,
  token: sql`SELECT id, name FROM tokens`,
  // Programs are identified by name only.
  program: sql`SELECT id, name FROM names WHERE id = 0`,
} as const;

interface HourRow extends Readonly<
  Record<'hour' | 'key' | 'is_rest' | 'calls' | 'quota' | 'tokens', number>
> {
  readonly name: string | null;
}

/** Hourly sums of the `largest` channels, users, tokens or programs, and of all others together. */
export const readHoursBy = async (
  database: Database,
  by: keyof typeof kinds,
  filter: UsageFilter,
  largest: number,
): Promise<UsageHourOf[]> => {
  const charged = sql`type = ${sql.lit(logType.consume)}`;
  const sums = sql`SUM(calls) AS calls, SUM(quota) AS quota, SUM(prompt_tokens + completion_tokens) AS tokens`;
  // The total of each hour and its largest entries: sorting everybody's hours, almost as many as there are rows, would
  // take several times as long.
  const { rows } = await readSums(database, filter, (moment, rowsOf) =>
    sql<HourRow>`
      WITH largest AS (
        SELECT key_id, name_id FROM ${rowsOf(by)} WHERE ${charged}
        GROUP BY key_id, name_id ORDER BY SUM(quota) DESC, SUM(calls) DESC, key_id LIMIT ${largest}
      ), hours AS (
        SELECT hour, key_id, name_id, 0 AS is_rest, ${sums} FROM ${rowsOf(by)}
        WHERE ${charged} AND (key_id, name_id) IN (SELECT key_id, name_id FROM largest) GROUP BY hour, key_id, name_id
        UNION ALL SELECT hour, 0, 0, 1, ${sums} FROM ${rowsOf(FEWEST)} WHERE ${charged} GROUP BY hour
      )
      SELECT h.hour AS hour, h.key_id AS key, h.is_rest AS is_rest, h.calls AS calls, h.quota AS quota, h.tokens AS tokens,
        coalesce(n.name, w.name) AS name
      FROM hours h LEFT JOIN (${kinds[by]}) n ON n.id = h.key_id AND h.is_rest = 0 LEFT JOIN names w ON w.id = h.name_id
      ORDER BY h.hour, h.is_rest, h.key_id, name`.execute(moment),
  );
  return withRests(rows);
};

/** The row with an hour's total follows its largest entries; subtracting them gives the rest. */
const withRests = (rows: readonly HourRow[]): UsageHourOf[] => {
  const hours: UsageHourOf[] = [];
  let shown = { calls: 0, quotaUnits: 0, tokens: 0 };
  for (const row of rows) {
    const isRest = row.is_rest === 1;
    const all = { calls: row.calls, quotaUnits: row.quota, tokens: row.tokens };
    const sums = isRest
      ? {
          calls: all.calls - shown.calls,
          quotaUnits: all.quotaUnits - shown.quotaUnits,
          tokens: all.tokens - shown.tokens,
        }
      : all;
    shown = isRest
      ? { calls: 0, quotaUnits: 0, tokens: 0 }
      : {
          calls: shown.calls + all.calls,
          quotaUnits: shown.quotaUnits + all.quotaUnits,
          tokens: shown.tokens + all.tokens,
        };
    if (isRest && sums.calls === 0 && sums.quotaUnits === 0 && sums.tokens === 0) continue;
    hours.push({ id: row.key, name: row.name ?? '', isRest, hourMs: row.hour * HOUR_MS, ...sums });
  }
  return hours;
};
