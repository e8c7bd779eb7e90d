import { sql } from 'kysely';
import type { Reading } from '#core/time/shared-clock.ts';
import type { Database } from './database.ts';

/** Reads PostgreSQL's clock, which all nodes share; undefined on SQLite, which has one node. */
export const readDatabaseClock = async (
  { engine, writer }: Pick<Database, 'engine' | 'writer'>,
  monotonic: () => number,
): Promise<Reading | undefined> => {
  if (engine === 'sqlite') return undefined;
  const askedMs = monotonic();
  const { rows } = await sql<{ readonly now: number }>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`.execute(writer);
  const [row] = rows;
  return row && { otherMs: Number(row.now), askedMs, heardMs: monotonic() };
};
