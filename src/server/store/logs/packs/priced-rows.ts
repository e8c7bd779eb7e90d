import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { TimePiece } from '#core/price-book/priced-calls.ts';
import { BETWEEN_COLUMNS, type PricedSlice } from '#core/price-book/call-rows.ts';
import { copiedLines } from '../../database/postgres/copy-out.ts';
import type { Database } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';

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

/** Creates no objects or values: the server copies its index out. */
async function* slicesOnPostgres(moment: Kysely<Schema>, time: TimePiece): AsyncGenerator<PricedSlice> {
  // With outdated statistics the planner would read the rows, which are many times longer.
  await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
    set_config('jit', 'off', true)`.execute(moment);
  const rows = sql`SELECT ${columns} FROM ${pricedIn(time)}`;
  for await (const text of copiedLines(moment, rows, BETWEEN_COLUMNS)) yield { text, untilMs: Infinity };
}

/** Joined to one text per slice inside the database: an object per row would take longer than all the rest. */
async function* slicesOnSqlite(
  moment: Kysely<Schema>,
  { fromMs, toMs }: TimePiece,
  rowsAtOnce: number,
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
        ORDER BY ${columns} LIMIT ${sql.lit(rowsAtOnce)} OFFSET ${skipped}) few`.execute(moment);
    const { rows = 0, first_ms: firstMs = null, last_ms: lastMs = null, lines } = found[0] ?? {};
    if (rows === 0 || firstMs === null || lastMs === null) return;
    const isLast = rows < rowsAtOnce;
    // If all rows read have the same time, the next page must continue within that time; otherwise it would start over
    // forever.
    const isOneMoment = firstMs === lastMs;
    yield { text: lines ?? '', untilMs: isLast || isOneMoment ? lastMs + 1 : lastMs };
    if (isLast) return;
    skipped = isOneMoment ? rows + (firstMs === beginMs ? skipped : 0) : 0;
    beginMs = lastMs;
  }
}

/**
 * The data that calls of a period were charged by, read only from an index, with many rows in one text.
 * @param rowsAtOnce for SQLite; PostgreSQL sends as many as fit into a few socket reads
 */
export const slicesOf = (
  engine: Database['engine'],
  moment: Kysely<Schema>,
  time: TimePiece,
  rowsAtOnce: number,
): AsyncGenerator<PricedSlice> =>
  engine === 'postgres' ? slicesOnPostgres(moment, time) : slicesOnSqlite(moment, time, rowsAtOnce);
