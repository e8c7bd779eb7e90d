import { randomInt } from 'node:crypto';
import { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { makeFolderOf } from './make-folder.ts';
import { migrate } from './migrate.ts';
import { closeDatabaseFile } from './owners-alone.ts';
import { postgresDialect, postgresPool } from './postgres-dialect.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { SqliteThread } from './sqlite-thread.ts';
import { packOps } from './ledger-wire.ts';
import { createPostgresLedger } from './postgres-ledger.ts';
import type { OpOutcome } from '#core/ledger/apply-ops.ts';
import type { LedgerOp } from '#core/ledger/book.ts';

export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** Many enough that no two servers ever draw the same; `randomInt` takes no more. */
const NODE_IDS = 2 ** 48 - 1;

/** An operation that failed in an unforeseen way; nothing of it happened. */
export interface FailedOp {
  readonly failed: string;
}

interface Opened {
  /** Writes, and the short reads calls wait for. */
  readonly writer: Kysely<Schema>;
  /** Long reads of the console: they never delay the writer. */
  readonly reader: Kysely<Schema>;
  /** Reads one consistent moment, on a connection of its own. */
  snapshot<Result>(read: (moment: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /** Runs ledger operations in order, in one transaction. One batch at a time is the caller's business. */
  runLedger(ops: readonly LedgerOp[]): Promise<readonly (OpOutcome | FailedOp)[]>;
  close(): Promise<void>;
}

export type SqliteDatabase = Opened & { readonly engine: 'sqlite'; readonly file: string };
export type PostgresDatabase = Opened & {
  readonly engine: 'postgres';
  readonly pool: Pool;
  /** By this the holds of one running server are told from those of others. */
  readonly nodeId: number;
};

/** An open database. Whatever fails in it is an AppError `unavailable`. */
export type Database = SqliteDatabase | PostgresDatabase;

const openSqlite = async (file: string): Promise<SqliteDatabase> => {
  makeFolderOf(file);
  closeDatabaseFile(file);
  const thread = new SqliteThread({ file, role: 'write' });
  const writer = new Kysely<Schema>({ dialect: sqliteDialect(thread, 'BEGIN IMMEDIATE') });
  await migrate(writer, 'sqlite').catch(async (thrown: unknown) => {
    await thread.close();
    throw thrown;
  });
  const readThread = new SqliteThread({ file, role: 'read, copy' });
  const reader = new Kysely<Schema>({ dialect: sqliteDialect(readThread, 'BEGIN') });
  return {
    engine: 'sqlite',
    file,
    runLedger: async (ops) => (await thread.ledger(packOps(ops))) as readonly (OpOutcome | FailedOp)[],
    writer,
    reader,
    snapshot: async (read) => {
      const own = new SqliteThread({ file, role: 'read' });
      try {
        return await new Kysely<Schema>({ dialect: sqliteDialect(own, 'BEGIN') }).transaction().execute(read);
      } finally {
        await own.close();
      }
    },
    close: async () => {
      // Not by way of Kysely: it closes only what was used.
      await readThread.close();
      await thread.close();
    },
  };
};

const openPostgres = async (url: string): Promise<PostgresDatabase> => {
  const patiently = async <Result>(work: (patient: Kysely<Schema>) => Promise<Result>): Promise<Result> => {
    const patient = new Kysely<Schema>({ dialect: postgresDialect(postgresPool(url, { patient: true })) });
    try {
      return await work(patient);
    } finally {
      await patient.destroy();
    }
  };
  await patiently((patient) => migrate(patient, 'postgres'));
  const pool = postgresPool(url);
  const nodeId = randomInt(1, NODE_IDS);
  const writer = new Kysely<Schema>({ dialect: postgresDialect(pool) });
  return {
    engine: 'postgres',
    pool,
    nodeId,
    runLedger: createPostgresLedger(pool, nodeId),
    writer,
    reader: writer,
    snapshot: (read) =>
      patiently((patient) =>
        patient.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
      ),
    close: () => writer.destroy(),
  };
};

/** Opens the database and brings its tables up to date. Throws `unavailable` when it cannot be reached. */
export const openDatabase = async (config: DatabaseConfig): Promise<Database> =>
  config.engine === 'sqlite' ? openSqlite(config.file) : openPostgres(config.url);
