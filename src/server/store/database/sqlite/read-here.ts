import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { type Database, type DatabaseConfig, patiently } from '../database.ts';
import type { Schema } from '../schema.ts';
import { rowsOf } from './sqlite-rows.ts';
import { type SqliteConnection, sqliteDialect } from './sqlite-dialect.ts';

/** A cache of 16 MB: each row is read only once, so a larger cache would not help. */
const OPTIONS = 'PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 1073741824';

interface Prepared {
  readonly statement: StatementSync;
  readonly toRow: (values: unknown) => object;
}

/** Rows are read as lists: the objects that Node makes of rows take twice as long to make and to read. */
const prepare = (file: DatabaseSync, sql: string): Prepared => {
  const statement = file.prepare(sql);
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  return {
    statement,
    toRow: (values) => {
      const row: Record<string, unknown> = {};
      for (const [at, name] of names.entries()) row[name] = (values as readonly unknown[])[at];
      return row;
    },
  };
};

/** SQLite in this thread, which blocks while it runs: nothing is copied from another thread. */
const inThisThread = (file: DatabaseSync): SqliteConnection => {
  const statements = new Map<string, Prepared>();
  return {
    query: async (sql, parameters) => {
      let prepared = statements.get(sql);
      if (prepared === undefined) statements.set(sql, (prepared = prepare(file, sql)));
      const { statement, toRow } = prepared;
      const rows = rowsOf(statement, sql, parameters as readonly SQLInputValue[]);
      return { id: 0, rows: rows.map(toRow), changes: 0 };
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
