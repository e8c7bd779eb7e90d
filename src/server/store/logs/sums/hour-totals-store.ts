import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { HourTotalsStore } from '#core/usage/usage-store.ts';
import type { Database } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { packHour } from '../packs/call-packs.ts';
import { ADDED, type Dimension, dimensions, IS_CALL } from './usage-totals.ts';
import { waitForWriters } from '../../database/wait-for-writers.ts';
import { HOUR_MS } from '#core/time/spans.ts';

type Tables = Kysely<Schema>;

/** An hour is totalled after another hour has passed, because most calls that began in it have ended by then. */
const PATIENCE_HOURS = 2;
/** An arbitrary number that every node must share. */
const TOTALS_LOCK = 7_311_963;

const added = sql.join(ADDED.map((column) => sql.ref(column)));
const sums = sql.join(ADDED.map((column) => sql`SUM(${sql.ref(column)})`));

/** An hour that is over. */
interface Missing {
  readonly hour: number;
  /** It has totals, and lacks its packs. */
  readonly isTotalled: boolean;
}

/** The newest `limit` finished hours that have no totals or no packs. */
const missing = async (reader: Tables, nowMs: number, limit: number): Promise<number[]> => {
  const { rows } = await sql<{ first: number | null }>`SELECT MIN(hour) AS first FROM usage_hours`.execute(
    reader,
  );
  const first = rows[0]?.first ?? Infinity;
  const ready = await reader
    .selectFrom('totalled_hours')
    .select('hour')
    .where('is_ready', '=', 1)
    .where('is_packed', '=', 1)
    .execute();
  const done = new Set(ready.map(({ hour }) => hour));
  const hours: number[] = [];
  for (
    let hour = Math.floor(nowMs / HOUR_MS) - PATIENCE_HOURS;
    hour >= first && hours.length < limit;
    hour -= 1
  )
    if (!done.has(hour)) hours.push(hour);
  return hours;
};

/**
 * From here on, a call written into one of the hours removes its entry. Entries of an earlier run are taken over. Only now is it
 * certain which of them have totals: a call may have been written since they were listed.
 */
const announce = async (writer: Tables, hours: readonly number[], run: string): Promise<Missing[]> => {
  const announced = await writer
    .insertInto('totalled_hours')
    .values(hours.map((hour) => ({ hour, is_ready: 0, by_run: run })))
    .onConflict((conflict) =>
      conflict.column('hour').doUpdateSet({ by_run: run }).where('totalled_hours.is_packed', '=', 0),
    )
    .returning(['hour', 'is_ready'])
    .execute();
  return announced
    .map(({ hour, is_ready }) => ({ hour, isTotalled: is_ready === 1 }))
    .toSorted((one, other) => other.hour - one.hour);
};

const addUp = async (tables: Tables, hour: number): Promise<void> => {
  for (const dimension of Object.keys(dimensions) as Dimension[]) {
    const { key, name } = dimensions[dimension];
    await sql`DELETE FROM usage_totals WHERE dimension = ${dimension} AND hour = ${hour}`.execute(tables);
    await sql`INSERT INTO usage_totals (dimension, hour, type, key_id, name_id, ${added})
      SELECT ${sql.lit(dimension)}, hour, type, ${sql.raw(key)}, ${sql.raw(name)}, ${sums} FROM usage_hours
      WHERE hour = ${hour} AND ${sql.raw(IS_CALL)} GROUP BY 2, 3, 4, 5`.execute(tables);
  }
};

/** Marks the hour as ready, unless something was written into it meanwhile or another run has taken it over. */
const finish = (tables: Tables, hour: number, run: string): Promise<unknown> =>
  tables
    .updateTable('totalled_hours')
    .set({ is_ready: 1, is_packed: 1 })
    .where('hour', '=', hour)
    .where('by_run', '=', run)
    .execute();

/** Runs statement by statement, so that a whole hour never blocks the single writing thread. */
const totalOnSqlite = async (
  { reader, writer }: Database,
  hours: readonly Missing[],
  run: string,
): Promise<void> => {
  for (const { hour, isTotalled } of hours) {
    if (!isTotalled) await addUp(writer, hour);
    await packHour({ engine: 'sqlite', rows: reader, packs: writer }, hour);
    await finish(writer, hour, run);
    // Lets work that waits for the writer go first.
    await setTimeout(0);
  }
};

/** One node at a time, each hour in a transaction. Waits for writers that began before the hours were announced. */
const totalOnPostgres = async (
  { writer, snapshot }: Database,
  hours: readonly Missing[],
  run: string,
): Promise<void> => {
  await waitForWriters(writer, ['usage_hours']);
  for (const { hour, isTotalled } of hours)
    // An hour at a time, so that no snapshot keeps rows that others delete for long.
    await snapshot((rows) =>
      writer.transaction().execute(async (packs) => {
        await sql`SELECT pg_advisory_xact_lock(${TOTALS_LOCK})`.execute(packs);
        if (!isTotalled) await addUp(packs, hour);
        await packHour({ engine: 'postgres', rows, packs }, hour);
        await finish(packs, hour, run);
      }),
    );
};

/** Stores the totals and packs of finished hours. */
export const createHourTotalsStore = (database: Database): HourTotalsStore => ({
  addUpHours: async (nowMs, limit) => {
    const hours = await missing(database.reader, nowMs, limit);
    if (hours.length === 0) return 0;
    const run = randomUUID();
    const announced = await announce(database.writer, hours, run);
    await (database.engine === 'sqlite' ? totalOnSqlite : totalOnPostgres)(database, announced, run);
    return hours.length;
  },
});
