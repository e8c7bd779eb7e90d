import { randomInt } from 'node:crypto';
import { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { makeFolderOf } from './make-folder.ts';
import { migrate } from './migrate.ts';
import { closeDatabaseFile } from './private-files.ts';
import { postgresDialect, postgresPool } from './postgres-dialect.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { SqliteThread } from './sqlite-thread.ts';
import { packOps } from '../ledger/ledger-wire.ts';
import { createPostgresLedger } from '../ledger/postgres-ledger.ts';
import type { FailedOp, OpOutcome } from '#core/ledger/apply-ops.ts';
import type { LedgerOp } from '#core/ledger/book.ts';

export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** Large enough that no two servers draw the same id; `randomInt` accepts no more. */
const NODE_IDS = 2 ** 48 - 1;

interface Opened {
  /** Writes, and the short reads calls wait for. */
  readonly writer: Kysely<Schema>;
  /** Long reads of the console: they never delay the writer. */
  readonly reader: Kysely<Schema>;
  /** Reads a consistent snapshot on a separate connection. */
  snapshot<Result>(read: (moment: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /** Runs ledger operations in order in one transaction. The caller sends one batch at a time. */
  runLedger(ops: readonly LedgerOp[]): Promise<readonly (OpOutcome | FailedOp)[]>;
  close(): Promise<void>;
}

export type SqliteDatabase = Opened & { readonly engine: 'sqlite'; readonly file: string };
export type PostgresDatabase = Opened & {
  readonly engine: 'postgres';
  readonly pool: Pool;
  /** Identifies this server's holds among those of other nodes. */
  readonly nodeId: number;
};

/** An open database. Every failure is an AppError `unavailable`. */
export type Database = SqliteDatabase | PostgresDatabase;

/** Prepares the tables before the first read. */
type Prepare = (writer: Kysely<Schema>, engine: 'sqlite' | 'postgres') => Promise<void>;

const openSqlite = async (file: string, prepare: Prepare): Promise<SqliteDatabase> => {
  makeFolderOf(file);
  closeDatabaseFile(file);
  const thread = new SqliteThread({ file, role: 'write' });
  const writer = new Kysely<Schema>({ dialect: sqliteDialect(thread, 'BEGIN IMMEDIATE') });
  await prepare(writer, 'sqlite').catch(async (thrown: unknown) => {
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
      // Not through Kysely, which closes only connections it has used.
      await readThread.close();
      await thread.close();
    },
  };
};

const openPostgres = async (url: string, prepare: Prepare): Promise<PostgresDatabase> => {
  const patiently = async <Result>(work: (patient: Kysely<Schema>) => Promise<Result>): Promise<Result> => {
    const patient = new Kysely<Schema>({ dialect: postgresDialect(postgresPool(url, { patient: true })) });
    try {
      return await work(patient);
    } finally {
      await patient.destroy();
    }
  };
  await patiently((patient) => prepare(patient, 'postgres'));
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

/**
 * Opens the database and migrates its tables, or prepares them with `prepare`. Throws `unavailable` if it cannot be
 * reached.
 */
export const openDatabase = async (config: DatabaseConfig, prepare: Prepare = migrate): Promise<Database> =>
  config.engine === 'sqlite' ? openSqlite(config.file, prepare) : openPostgres(config.url, prepare);
