import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { AppError } from '#core/error.ts';
import type { Clock } from '#core/clock.ts';
import type { Database, PostgresDatabase, SqliteDatabase } from './database.ts';
import { type NodeLease, takeLease } from './node-lease.ts';
import { closeDatabaseFile } from './owners-alone.ts';

/** Every running node holds this lock shared; whoever can have it alone is the only one. */
const NODE_LOCK = 7_462_951_083;
const AGAIN_AFTER_MS = 1000;

/** This node among those on the same database. */
export interface Membership {
  /** No other node ran when this one joined: what is still held belongs to runs that ended. */
  readonly isAlone: boolean;
  /** Lets further nodes start: call it once what was left behind is cleared up. */
  admitOthers(): Promise<void>;
  /** What this node and the others watch each other by; undefined where there can be no other. */
  readonly lease: NodeLease | undefined;
  leave(): Promise<void>;
}

const connect = async ({ pool }: PostgresDatabase): Promise<Client> => {
  const client = new Client({ connectionString: pool.options.connectionString, keepAlive: true });
  // Without a listener a lost connection would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
};

const joinOnPostgres = async (database: PostgresDatabase, clock: Pick<Clock, 'now'>): Promise<Membership> => {
  let client = await connect(database);
  let hasLeft = false;
  const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [
    NODE_LOCK,
  ]);
  const isAlone = rows[0]?.alone === true;
  const share = (): Promise<unknown> => client.query('SELECT pg_advisory_lock_shared($1)', [NODE_LOCK]);
  // Waits while the first node clears up.
  if (!isAlone) await share();

  const rejoin = async (): Promise<void> => {
    while (!hasLeft) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS).unref());
      try {
        client = await connect(database);
        await share();
        client.once('end', lost);
        return;
      } catch {
        await client.end().catch(() => {});
      }
    }
  };
  const lost = (): void => void (hasLeft ? undefined : rejoin());
  client.once('end', lost);

  const lease = await takeLease(database, clock);
  return {
    isAlone,
    lease,
    async admitOthers() {
      if (!isAlone) return;
      await share();
      await client.query('SELECT pg_advisory_unlock($1)', [NODE_LOCK]);
    },
    async leave() {
      hasLeft = true;
      // Where the database is away, the others find out.
      await lease.leave().catch(() => {});
      await client.end().catch(() => {});
    },
  };
};

/** A server that was just killed is given this long to be gone. */
const LOCK_TIMEOUT_MS = 2000;

/** The lock is one of the system's on a file of its own: it ends with the process, however that ends. */
const joinOnSqlite = ({ file }: SqliteDatabase): Membership => {
  closeDatabaseFile(`${file}.lock`);
  const lock = new DatabaseSync(`${file}.lock`, { timeout: LOCK_TIMEOUT_MS });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new AppError(
      'unavailable',
      `another server uses ${file}: stop it first, or let several nodes share PostgreSQL`,
      { cause },
    );
  }
  return { isAlone: true, admitOthers: async () => {}, lease: undefined, leave: async () => lock.close() };
};

/**
 * Joins the nodes that serve from a database. On SQLite there is only ever one: the second is refused (`unavailable`)
 * before it takes the running calls of the first for a dead run's. On PostgreSQL a lock that ends with
 * its connection, however the process ends, tells whether others run.
 */
export const joinNodes = async (database: Database, clock: Pick<Clock, 'now'>): Promise<Membership> =>
  database.engine === 'postgres' ? joinOnPostgres(database, clock) : joinOnSqlite(database);
