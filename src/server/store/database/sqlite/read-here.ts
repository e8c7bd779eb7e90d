import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { type Database, type DatabaseConfig, patiently } from '../database.ts';
import type { Schema } from '../schema.ts';
import { rowsOf } from './sqlite-rows.ts';
import { type SqliteConnection, sqliteDialect } from './sqlite-dialect.ts';

/** A cache of 16 MB: rows that are read once need none. */
const OPTIONS = 'PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 1073741824';

/** SQLite in this thread, which blocks while it runs: nothing is copied from another thread. */
const inThisThread = (file: DatabaseSync): SqliteConnection => {
  const statements = new Map<string, StatementSync>();
  return {
    query: async (sql, parameters) => {
      let statement = statements.get(sql);
      if (statement === undefined) statements.set(sql, (statement = file.prepare(sql)));
      return { id: 0, rows: rowsOf(statement, sql, parameters as readonly SQLInputValue[]), changes: 0 };
    },
    acquire: async () => {},
    release: () => {},
    close: async () => file.close(),
  };
};

interface ReadHere extends Pick<Database, 'engine' | 'snapshot'> {
  /**
   * One connection for work that lasts as long as a client reads the answer: each query sees the data at its own time.
   */
  reading<Result>(read: (reader: Kysely<Schema>) => Promise<Result>): Promise<Result>;
}

const open = (path: string): DatabaseSync => {
  const file = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  file.exec(OPTIONS);
  return file;
};

/**
 * For a thread that only reads: a database that another thread has opened and prepared. Each snapshot has its own
 * connection.
 */
export const readHere = (config: DatabaseConfig): ReadHere => ({
  engine: config.engine,
  reading: async (read) => {
    if (config.engine === 'postgres') return patiently(config.url, read);
    const file = open(config.file);
    try {
      return await read(new Kysely<Schema>({ dialect: sqliteDialect(inThisThread(file), 'BEGIN') }));
    } finally {
      file.close();
    }
  },
  snapshot: async (read) => {
    if (config.engine === 'postgres')
      return patiently(config.url, (patient) =>
        patient.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
      );
    const file = open(config.file);
    try {
      const dialect = sqliteDialect(inThisThread(file), 'BEGIN');
      return await new Kysely<Schema>({ dialect }).transaction().execute(read);
    } finally {
      file.close();
    }
  },
});
