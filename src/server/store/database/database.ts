import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { AppError } from '#core/error.ts';
import { makeFolderOf } from './make-folder.ts';
import { migrate } from './migrate.ts';
import { closeDatabaseFile } from './private-files.ts';
import { postgresDialect, postgresPool } from './postgres/postgres-dialect.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { SqliteThread } from './sqlite/sqlite-thread.ts';
import { onceLogIsLong } from './sqlite/wal-checkpoints.ts';
import { packOps } from '../ledger/ledger-wire.ts';
import { createPostgresLedger } from '../ledger/postgres-ledger.ts';
import type { FailedOp, OpOutcome } from '#core/ledger/apply-ops.ts';
import type { LedgerOp } from '#core/ledger/book.ts';

/** Which database to open: a SQLite file, or the URL of a PostgreSQL server. */
export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** Large enough that two servers never draw the same id; `randomInt` accepts no larger range. */
const NODE_IDS = 2 ** 48 - 1;
/** The connections of a further relay; by default PostgreSQL allows a hundred in all. */
const CONNECTIONS = 20;
const LEAST_CONNECTIONS = 5;

/** Draws an id for a node or a relay beside it, which identifies its holds. */
export const newNodeId = (): number => randomInt(1, NODE_IDS);

/** What a relay in another thread needs to open the database. */
export interface RelaySeat {
  /** Identifies its holds. */
  readonly nodeId: number;
  /** The number of relays in this process, which share its connections. */
  readonly relays: number;
  /** On SQLite: ports to the threads that write and read. */
  readonly ways?: { readonly writer: MessagePort; readonly reader: MessagePort };
}

interface Opened {
  /** For writes, and for short reads that calls wait for. */
  readonly writer: Kysely<Schema>;
  /** For long reads of the console, so that they never delay the writer. */
  readonly reader: Kysely<Schema>;
  /** Reads a consistent snapshot on a separate connection. */
  snapshot<Result>(read: (moment: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /** Runs ledger operations in order in one transaction. The caller sends one batch at a time. */
  runLedger(ops: readonly LedgerOp[]): Promise<readonly (OpOutcome | FailedOp)[]>;
  /** Admits a relay in another thread. `giveBack` removes it and resolves when all its queries are done. */
  seat(nodeId: number, relays: number): Promise<RelaySeat>;
  giveBack(nodeId: number): Promise<void>;
  /**
   * Resolves with the cause if this process loses its database: a thread of SQLite has ended by itself, or the
   * writing one hangs. Only a new process can recover; its start closes the holds that this one leaves open.
   */
  readonly lost: Promise<unknown>;
  close(): Promise<void>;
}

const NEVER = new Promise<never>(() => {});

/** An open SQLite database. */
export type SqliteDatabase = Opened & { readonly engine: 'sqlite'; readonly file: string };
/** An open PostgreSQL database. */
export type PostgresDatabase = Opened & {
  readonly engine: 'postgres';
  readonly pool: Pool;
  /** Identifies this server's holds among those of other nodes. */
  readonly nodeId: number;
};

/** An open database. Every failure is thrown as an AppError `unavailable`. */
export type Database = SqliteDatabase | PostgresDatabase;

/** Prepares the tables before the first read. `file` is the one of SQLite. */
type Prepare = (writer: Kysely<Schema>, engine: 'sqlite' | 'postgres', file?: string) => Promise<void>;

const sqliteWriter = (thread: SqliteThread): Kysely<Schema> =>
  new Kysely({ dialect: sqliteDialect(thread, 'BEGIN IMMEDIATE') });

const sqliteDatabase = (
  file: string,
  thread: SqliteThread,
  writer: Kysely<Schema>,
  readThread: SqliteThread,
  lost: Promise<unknown>,
): SqliteDatabase => {
  const reader = new Kysely<Schema>({ dialect: sqliteDialect(readThread, 'BEGIN') });
  return {
    engine: 'sqlite',
    file,
    runLedger: async (ops) => (await thread.ledger(packOps(ops))) as readonly (OpOutcome | FailedOp)[],
    writer,
    reader,
    seat: async (nodeId, relays) => ({
      nodeId,
      relays,
      ways: { writer: await thread.admit(nodeId), reader: await readThread.admit(nodeId) },
    }),
    giveBack: async (nodeId) => {
      await Promise.all([thread.dismiss(nodeId), readThread.dismiss(nodeId)]);
    },
    lost,
    snapshot: async (read) => {
      const own = new SqliteThread({ file, role: 'read' });
      try {
        return await new Kysely<Schema>({ dialect: sqliteDialect(own, 'BEGIN') }).transaction().execute(read);
      } finally {
        await own.close();
      }
    },
    close: async () => {
      // Closed directly, because Kysely only closes connections it has used.
      await readThread.close();
      await thread.close();
    },
  };
};

const openSqlite = async (file: string, prepare: Prepare): Promise<SqliteDatabase> => {
  makeFolderOf(file);
  closeDatabaseFile(file);
  const { promise: lost, resolve: tellLost } = Promise.withResolvers<unknown>();
  const thread = new SqliteThread({ file, role: 'write' }, tellLost);
  const writer = sqliteWriter(thread);
  await prepare(writer, 'sqlite', file).catch(async (thrown: unknown) => {
    await thread.close();
    throw thrown;
  });
  // Watched only from now on, because a migration may take long.
  thread.watch();
  const readThread = new SqliteThread({ file, role: 'read, copy' }, tellLost);
  const stopLooking = onceLogIsLong(file, () => {
    // The file is closed by now. If it cannot be opened, the reader reports the error.
    readThread.begin().catch(() => {});
  });
  const database = sqliteDatabase(file, thread, writer, readThread, lost);
  return {
    ...database,
    close: async () => {
      stopLooking();
      await database.close();
    },
  };
};

const postgresDatabase = (url: string, nodeId: number, connections?: number): PostgresDatabase => {
  const pool = postgresPool(url, connections === undefined ? {} : { connections });
  const writer = new Kysely<Schema>({ dialect: postgresDialect(pool) });
  return {
    engine: 'postgres',
    pool,
    nodeId,
    runLedger: createPostgresLedger(pool, nodeId),
    writer,
    reader: writer,
    seat: async (id, relays) => ({ nodeId: id, relays }),
    // The thread has closed its connections.
    giveBack: async () => {},
    // PostgreSQL is connected to again by itself.
    lost: NEVER,
    snapshot: (read) =>
      patiently(url, (patient) =>
        patient.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
      ),
    close: () => writer.destroy(),
  };
};

/** Opens PostgreSQL without time limits, for one long piece of work. */
export const patiently = async <Result>(
  url: string,
  work: (patient: Kysely<Schema>) => Promise<Result>,
): Promise<Result> => {
  const patient = new Kysely<Schema>({ dialect: postgresDialect(postgresPool(url, { patient: true })) });
  try {
    return await work(patient);
  } finally {
    await patient.destroy();
  }
};

const openPostgres = async (url: string, prepare: Prepare): Promise<PostgresDatabase> => {
  await patiently(url, (patient) => prepare(patient, 'postgres'));
  return postgresDatabase(url, newNodeId());
};

/** Throws `unavailable` if there is no SQLite file yet, for programs that only look: opening it would create one. */
export const existing = (config: DatabaseConfig): DatabaseConfig => {
  if (config.engine === 'sqlite' && !existsSync(config.file))
    throw new AppError('unavailable', `there is no database here yet: ${config.file}`);
  return config;
};

/**
 * Opens the database and migrates its tables, or prepares them with `prepare`. Throws `unavailable` if it cannot be
 * reached.
 */
export const openDatabase = async (config: DatabaseConfig, prepare: Prepare = migrate): Promise<Database> =>
  config.engine === 'sqlite' ? openSqlite(config.file, prepare) : openPostgres(config.url, prepare);

/** Opens the database in a relay's thread, after the main thread has opened and prepared it. */
export const openSeat = (config: DatabaseConfig, { nodeId, relays, ways }: RelaySeat): Database => {
  if (config.engine === 'postgres')
    return postgresDatabase(config.url, nodeId, Math.max(LEAST_CONNECTIONS, Math.ceil(CONNECTIONS / relays)));
  if (ways === undefined) throw new Error('a relay on SQLite needs the ways to its threads');
  const thread = new SqliteThread(ways.writer);
  // The main thread started those threads and is notified of their end.
  return sqliteDatabase(config.file, thread, sqliteWriter(thread), new SqliteThread(ways.reader), NEVER);
};
