import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../database/database.ts';

const MODE = 0o600;

let made: Promise<Buffer> | undefined;

const make = async (): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-made-'));
  try {
    const file = join(folder, 'tollgate.db');
    const database = await openDatabase({ engine: 'sqlite', file });
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database.writer);
    await database.close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Puts an empty SQLite database with all tables there. They are made once in a process, and all others are copies: making
 * them takes as long as all else of opening a database.
 */
export const putMigratedFile = async (file: string): Promise<void> =>
  writeFileSync(file, await (made ??= make()), { mode: MODE });
