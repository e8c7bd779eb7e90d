import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Whether the database has no tables yet. */
export const isEmpty = async (writer: Kysely<Schema>, engine: Database['engine']): Promise<boolean> => {
  const { rows } = await (
    engine === 'sqlite'
      ? sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' LIMIT 1`
      : sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1`
  ).execute(writer);
  return rows.length === 0;
};
