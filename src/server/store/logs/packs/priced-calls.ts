import { type Kysely, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { CallsGiven } from '#core/price-book/call-pack.ts';
import type { PricedCalls, TimePiece } from '#core/price-book/priced-calls.ts';
import type { Database } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { packedHours, packsOf } from './call-packs.ts';
import { slicesOf } from './priced-rows.ts';
import { hoursWithin } from '../sums/usage-filters.ts';
import { HOUR_MS } from '#core/time/spans.ts';

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

/** A whole slice is one text in memory. */
const ROWS_AT_ONCE = 4000;

/** The calls of a time span: from packs for packed hours, else from rows. */
async function* callsOf(
  engine: Database['engine'],
  moment: Kysely<Schema>,
  { fromMs, toMs }: TimePiece,
): AsyncGenerator<CallsGiven> {
  const rowsOf = async function* (time: TimePiece): AsyncGenerator<CallsGiven> {
    if (time.fromMs > time.toMs) return;
    for await (const rows of slicesOf(engine, moment, time, ROWS_AT_ONCE)) yield { rows };
  };
  let nextMs = fromMs;
  for (const hour of await packedHours(moment, { fromMs, toMs })) {
    yield* rowsOf({ fromMs: nextMs, toMs: hour * HOUR_MS - 1 });
    for await (const pack of packsOf(moment, hour, { fromMs, toMs })) yield { pack };
    nextMs = (hour + 1) * HOUR_MS;
  }
  yield* rowsOf({ fromMs: nextMs, toMs });
}

/** Reads what calls were charged by, in order of hours: packs, else rows. */
export const createPricedCalls = ({
  engine,
  snapshot,
}: Pick<Database, 'engine' | 'snapshot'>): PricedCalls => ({
  byHour: (fromMs, toMs) =>
    snapshot(async (moment) => {
      const { rows } = await sql<{ hour: number; calls: number }>`
        SELECT hour, sum(calls) AS calls FROM usage_hours
        WHERE type = ${logType.consume} AND ${hoursWithin({ fromMs, toMs })} GROUP BY hour`.execute(moment);
      return new Map(rows.map(({ hour, calls }) => [hour, calls]));
    }),
  read: (fromMs, toMs, each) =>
    snapshot(async (moment) => {
      const { all, names } = await chargedIn(moment, { fromMs, toMs });
      for await (const calls of callsOf(engine, moment, { fromMs, toMs })) each(calls, names);
      return all;
    }),
});
