import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type CallPack, CallPacker, type PackedCalls } from '#core/price-book/call-pack.ts';
import type { TimePiece } from '#core/price-book/priced-calls.ts';
import type { Database } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { slicesOf } from './priced-rows.ts';
import { HOUR_MS } from '#core/time/spans.ts';

type Tables = Kysely<Schema>;

/** A pack of so many calls takes about 200 KB. */
const CALLS_IN_A_PACK = 8000;
/** The rows read in one step: about a millisecond of the thread, while calls are served. */
const ROWS_AT_ONCE = 1000;

/** Where the rows are read from, and where their packs are written. */
export interface Packing {
  readonly engine: Database['engine'];
  readonly rows: Tables;
  readonly packs: Tables;
}

/** Packs the calls of an hour, replacing earlier packs. */
export const packHour = async ({ engine, rows, packs }: Packing, hour: number): Promise<void> => {
  await packs.deleteFrom('packed_calls').where('hour', '=', hour).execute();
  const hourMs = hour * HOUR_MS;
  const packer = new CallPacker(hourMs);
  let part = 0;
  const write = async ({ calls, firstMs, lastMs, data }: CallPack): Promise<void> => {
    const times = { first_ms: firstMs, last_ms: lastMs };
    await packs
      .insertInto('packed_calls')
      .values({ hour, part, calls, ...times, data })
      .execute();
    part += 1;
  };
  const time = { fromMs: hourMs, toMs: hourMs + HOUR_MS - 1 };
  for await (const slice of slicesOf(engine, rows, time, ROWS_AT_ONCE)) {
    packer.add(slice);
    if (packer.calls >= CALLS_IN_A_PACK) await write(packer.take());
    await setImmediate();
  }
  if (packer.calls > 0) await write(packer.take());
};

/**
 * Marks hours as not packed after their logs were cleared, so that they are packed again. Call it after their sums
 * have changed.
 */
export const unpackHours = (transaction: Tables, hours: readonly number[]): Promise<unknown> =>
  transaction
    .updateTable('totalled_hours')
    .set({ is_packed: 0, by_run: '' })
    .where('hour', 'in', hours)
    .execute();

/** The hours of a time span that are completely packed, in order. */
export const packedHours = async (moment: Tables, { fromMs, toMs }: TimePiece): Promise<number[]> => {
  const found = await moment
    .selectFrom('totalled_hours')
    .select('hour')
    .where('hour', '>=', Math.floor(fromMs / HOUR_MS))
    .where('hour', '<=', Math.floor(toMs / HOUR_MS))
    .where('is_packed', '=', 1)
    .orderBy('hour')
    .execute();
  return found.map(({ hour }) => hour);
};

/** The packs of an hour with calls in this time span. */
export async function* packsOf(moment: Tables, hour: number, time: TimePiece): AsyncGenerator<PackedCalls> {
  const found = await sql<{ data: string }>`SELECT data FROM packed_calls
    WHERE hour = ${hour} AND last_ms >= ${time.fromMs} AND first_ms <= ${time.toMs}`.execute(moment);
  for (const { data } of found.rows) yield { data, hourMs: hour * HOUR_MS, ...time };
}
