import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { AppError } from '#core/error.ts';
import type { Schema } from './schema.ts';

const LOOK_AGAIN_MS = 50;
const MOST_LOOKS = 200;

type Table = 'logs' | 'journal' | 'usage_hours';

/**
 * The transactions that are writing to the tables now, on PostgreSQL. A statement's snapshot is taken after it has the
 * lock.
 */
const writing = async (database: Kysely<Schema>, tables: readonly Table[]): Promise<ReadonlySet<string>> => {
  const named = sql.join(tables.map((table) => sql`${sql.lit(table)}::regclass`));
  const { rows } = await sql<{ who: string }>`SELECT DISTINCT virtualtransaction AS who FROM pg_locks
    WHERE relation IN (${named}) AND mode = 'RowExclusiveLock'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(database);
  return new Set(rows.map(({ who }) => who));
};

/**
 * Waits until the current writers of the tables have finished, without blocking anybody. Throws `unavailable` after
 * some ten seconds.
 */
export const waitForWriters = async (database: Kysely<Schema>, tables: readonly Table[]): Promise<void> => {
  const before = await writing(database, tables);
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if (before.isDisjointFrom(await writing(database, tables))) return;
    await setTimeout(LOOK_AGAIN_MS);
  }
  throw new AppError('unavailable', 'the logs are being written to for too long; it is done later');
};
