import { type Kysely, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { PricedCalls } from '#core/price-book/priced-calls.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { hoursWithin } from './usage-filters.ts';

/** All of a slice is one text in memory; the next one is read meanwhile. */
const ROWS_AT_ONCE = 4000;

interface SliceRow {
  readonly rows: number | string;
  readonly first_ms: number | string | null;
  readonly last_ms: number | string | null;
  readonly lines: string | null;
}

interface Slice {
  readonly rows: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly text: string;
}

/** The hours know all models and groups that were called. */
const namesIn = async (
  moment: Kysely<Schema>,
  fromMs: number,
  toMs: number,
): Promise<ReadonlyMap<number, string>> => {
  const hours = sql`usage_hours WHERE ${hoursWithin({ fromMs, toMs })}`;
  const { rows } = await sql<{ id: number; name: string }>`SELECT id, name FROM names
    WHERE id IN (SELECT model_id FROM ${hours} UNION SELECT group_id FROM ${hours})`.execute(moment);
  return new Map(rows.map(({ id, name }) => [Number(id), name]));
};

/** Reads what calls were charged by: from an index alone, in the order of time, as one text a slice. */
export const createPricedCalls = (database: Pick<Database, 'engine' | 'snapshot'>): PricedCalls => {
  const isPostgres = database.engine === 'postgres';
  const tab = isPostgres ? sql`chr(9)` : sql`char(9)`;
  const joined = isPostgres ? sql`string_agg(line, chr(10))` : sql`group_concat(line, char(10))`;
  const line = sql`created_at || ${tab} || user_id || ${tab} || quota || ${tab} || coalesce(cast(cost AS TEXT), '') || ${tab}
    || priced || ${tab} || model_id || ${tab} || group_id`;

  return {
    byHour: (fromMs, toMs) =>
      database.snapshot(async (moment) => {
        const { rows } = await sql<{ hour: number | string; calls: number | string }>`
          SELECT hour, sum(calls) AS calls FROM usage_hours
          WHERE type = ${logType.consume} AND ${hoursWithin({ fromMs, toMs })} GROUP BY hour`.execute(moment);
        return new Map(rows.map(({ hour, calls }) => [Number(hour), Number(calls)]));
      }),
    read: (fromMs, toMs, each) =>
      database.snapshot(async (moment) => {
        // Those of one moment in an order of their own too, so that the next page of them goes on where one ended.
        const slice = async (beginMs: number, offset: number): Promise<Slice> => {
          const { rows } = await sql<SliceRow>`
            SELECT count(*) AS rows, min(created_at) AS first_ms, max(created_at) AS last_ms, ${joined} AS lines FROM (
              SELECT created_at, ${line} AS line FROM logs
              WHERE priced IS NOT NULL AND created_at >= ${beginMs} AND created_at <= ${toMs}
              ORDER BY created_at, user_id, quota, cost, priced, model_id, group_id
              LIMIT ${ROWS_AT_ONCE} OFFSET ${offset}) few`.execute(moment);
          const [row] = rows;
          return {
            rows: Number(row?.rows ?? 0),
            firstMs: Number(row?.first_ms ?? 0),
            lastMs: Number(row?.last_ms ?? 0),
            text: row?.lines ?? '',
          };
        };
        // Its index has the rows in this order. A planner with old statistics would sort all of them for each slice.
        if (isPostgres)
          await sql`SELECT set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
            moment,
          );
        const names = await namesIn(moment, fromMs, toMs);
        let [from, skipped] = [fromMs, 0];
        // The next slice is read while this one is added up.
        let next: Promise<Slice> | undefined = slice(from, skipped);
        while (next !== undefined) {
          const found: Slice = await next;
          const { rows, firstMs, lastMs, text } = found;
          if (rows === 0) break;
          const isLast = rows < ROWS_AT_ONCE;
          // All of one moment: the next goes on within it, or it would never end.
          const isOneMoment = firstMs === lastMs;
          skipped = isOneMoment ? rows + (firstMs === from ? skipped : 0) : 0;
          from = lastMs;
          const untilMs = isLast || isOneMoment ? lastMs + 1 : lastMs;
          next = isLast ? undefined : slice(from, skipped);
          // That it failed is told when it is waited for.
          next?.catch(() => {});
          if (await each({ text, untilMs }, names)) continue;
          await next;
          break;
        }
        const { rows } = await sql<{ calls: number | string; quota: number | string | null }>`
          SELECT count(*) AS calls, sum(quota) AS quota FROM logs
          WHERE type = ${logType.consume} AND created_at >= ${fromMs} AND created_at <= ${toMs}`.execute(
          moment,
        );
        return { calls: Number(rows[0]?.calls ?? 0), quotaUnits: Number(rows[0]?.quota ?? 0) };
      }),
  };
};
