import { type Kysely, type RawBuilder, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { PricedSlice } from '#core/price-book/preview.ts';
import type { PricedCalls, TimePiece } from '#core/price-book/priced-calls.ts';
import { BETWEEN_COLUMNS } from '#core/price-book/row.ts';
import { copiedLines } from '../database/postgres/copy-out.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { hoursWithin } from './usage-filters.ts';
import { HOUR_MS } from './usage-sums.ts';

/** A whole slice is one text in memory. */
const ROWS_AT_ONCE = 4000;

interface SliceRow {
  readonly rows: number;
  readonly first_ms: number | null;
  readonly last_ms: number | null;
  readonly lines: string | null;
}

/** The columns read for a call; the index contains them all, in time order. */
const columns = sql`created_at, user_id, quota, cost, priced, model_id, group_id`;
const pricedIn = ({ fromMs, toMs }: TimePiece): RawBuilder<unknown> =>
  sql`logs WHERE priced IS NOT NULL AND created_at >= ${sql.lit(fromMs)} AND created_at <= ${sql.lit(toMs)}`;

/** Without creating objects or values: the server copies its index out. */
async function* slicesOnPostgres(moment: Kysely<Schema>, time: TimePiece): AsyncGenerator<PricedSlice> {
  // With old statistics the planner would read the rows themselves, which are many times as long.
  await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
    set_config('jit', 'off', true)`.execute(moment);
  const rows = sql`SELECT ${columns} FROM ${pricedIn(time)}`;
  for await (const text of copiedLines(moment, rows, BETWEEN_COLUMNS)) yield { text, untilMs: Infinity };
}

/** Joined to one text per slice inside the database: an object per row would take longer than all the rest. */
async function* slicesOnSqlite(
  moment: Kysely<Schema>,
  { fromMs, toMs }: TimePiece,
): AsyncGenerator<PricedSlice> {
  const between = sql`char(${sql.lit(BETWEEN_COLUMNS.charCodeAt(0))})`;
  const line = sql`created_at || ${between} || user_id || ${between} || quota || ${between}
    || coalesce(cast(cost AS TEXT), '') || ${between} || priced || ${between} || model_id || ${between} || group_id`;
  let [beginMs, skipped] = [fromMs, 0];
  for (;;) {
    // Rows of the same time are ordered too, so that the next page continues where this one ended.
    const { rows: found } = await sql<SliceRow>`
      SELECT count(*) AS rows, min(created_at) AS first_ms, max(created_at) AS last_ms, group_concat(line, char(10)) AS lines
      FROM (SELECT created_at, ${line} AS line FROM ${pricedIn({ fromMs: beginMs, toMs })}
        ORDER BY ${columns} LIMIT ${sql.lit(ROWS_AT_ONCE)} OFFSET ${skipped}) few`.execute(moment);
    const { rows = 0, first_ms: firstMs = null, last_ms: lastMs = null, lines } = found[0] ?? {};
    if (rows === 0 || firstMs === null || lastMs === null) return;
    const isLast = rows < ROWS_AT_ONCE;
    // If all rows have the same time, the next page must continue within it, or it would never end.
    const isOneMoment = firstMs === lastMs;
    yield { text: lines ?? '', untilMs: isLast || isOneMoment ? lastMs + 1 : lastMs };
    if (isLast) return;
    skipped = isOneMoment ? rows + (firstMs === beginMs ? skipped : 0) : 0;
    beginMs = lastMs;
  }
}

/** The whole hours of a span, as the first and the one after the last, and the remainders before and after them. */
const cutToHours = ({ fromMs, toMs }: TimePiece) => {
  const first = Math.ceil(fromMs / HOUR_MS);
  const end = Math.max(first, Math.floor((toMs + 1) / HOUR_MS));
  const rest = [
    { fromMs, toMs: Math.min(toMs, first * HOUR_MS - 1) },
    { fromMs: Math.max(first, end) * HOUR_MS, toMs },
  ].filter((part) => part.fromMs <= part.toMs);
  return { first, end, rest };
};

/**
 * All charged calls of a span, and the names of their models and groups. Whole hours are counted from the hourly sums.
 */
const chargedIn = async (moment: Kysely<Schema>, time: TimePiece) => {
  const { first, end, rest } = cutToHours(time);
  const isWhole = sql`hour >= ${first} AND hour < ${end}`;
  const { rows: pairs } = await sql<Record<'model' | 'grp' | 'calls' | 'quota', number>>`
    SELECT model_id AS model, group_id AS grp, sum(CASE WHEN ${isWhole} THEN log_rows ELSE 0 END) AS calls,
      sum(CASE WHEN ${isWhole} THEN log_quota ELSE 0 END) AS quota
    FROM usage_hours WHERE type = ${logType.consume} AND ${hoursWithin(time)} GROUP BY model_id, group_id`.execute(
    moment,
  );
  const all = { calls: 0, quotaUnits: 0 };
  for (const { calls, quota } of pairs) {
    all.calls += calls;
    all.quotaUnits += quota;
  }
  for (const { fromMs, toMs } of rest) {
    const { rows } = await sql<{ calls: number; quota: number | null }>`
      SELECT count(*) AS calls, sum(quota) AS quota FROM logs
      WHERE type = ${logType.consume} AND created_at >= ${fromMs} AND created_at <= ${toMs}`.execute(moment);
    all.calls += rows[0]?.calls ?? 0;
    all.quotaUnits += rows[0]?.quota ?? 0;
  }
  const ids = [...new Set(pairs.flatMap(({ model, grp }) => [model, grp]))];
  return { all, names: await namesOf(moment, ids) };
};

/** A statement accepts no more than some thousand values. */
const NAMES_AT_ONCE = 1000;

const namesOf = async (
  moment: Kysely<Schema>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const names = new Map<number, string>();
  for (let at = 0; at < ids.length; at += NAMES_AT_ONCE) {
    const few = ids.slice(at, at + NAMES_AT_ONCE);
    for (const { id, name } of await moment.selectFrom('names').selectAll().where('id', 'in', few).execute())
      names.set(id, name);
  }
  return names;
};

/** Reads what calls were charged by: from an index only, in time order, many rows as one text. */
export const createPricedCalls = (database: Pick<Database, 'engine' | 'snapshot'>): PricedCalls => {
  const slices = database.engine === 'postgres' ? slicesOnPostgres : slicesOnSqlite;
  return {
    byHour: (fromMs, toMs) =>
      database.snapshot(async (moment) => {
        const { rows } = await sql<{ hour: number; calls: number }>`
          SELECT hour, sum(calls) AS calls FROM usage_hours
          WHERE type = ${logType.consume} AND ${hoursWithin({ fromMs, toMs })} GROUP BY hour`.execute(moment);
        return new Map(rows.map(({ hour, calls }) => [hour, calls]));
      }),
    read: (fromMs, toMs, each) =>
      database.snapshot(async (moment) => {
        const { all, names } = await chargedIn(moment, { fromMs, toMs });
        for await (const slice of slices(moment, { fromMs, toMs })) each(slice, names);
        return all;
      }),
  };
};
