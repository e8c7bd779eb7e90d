import { Client } from 'pg';
import type { Clock } from '#core/clock.ts';
import type { Database, PostgresDatabase, SqliteDatabase } from './database.ts';
import { requireCurrent } from './migrate.ts';
import { NODE_LOCK } from './postgres/node-lock.ts';
import { type NodeLease, nodeList, type RelayList, takeLease } from '../ledger/node-lease.ts';
import { lockForServer } from './sqlite/server-lock.ts';

const AGAIN_AFTER_MS = 1000;

/** This node's membership among the nodes on the same database. */
export interface Membership {
  /** Whether no other node ran when this one joined; then all open holds belong to processes that have ended. */
  readonly isAlone: boolean;
  /** Lets other nodes start. Call it after those holds are closed. */
  admitOthers(): Promise<void>;
  /** How nodes detect that another one has died; undefined if there can only be one. */
  readonly lease: NodeLease | undefined;
  /** The relays of this node in other threads. */
  readonly relays: RelayList;
  leave(): Promise<void>;
}

const connect = async ({ pool }: PostgresDatabase): Promise<Client> => {
  const client = new Client({ connectionString: pool.options.connectionString, keepAlive: true });
  // Without a listener an error event would end the process.
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
  // Waits until the first node has closed the old holds, or until a newer version has migrated the tables.
  if (!isAlone) await share();
  await requireCurrent(database.writer, 'postgres').catch(async (error: unknown) => {
    await client.end();
    throw error;
  });

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
    relays: lease.relays,
    async admitOthers() {
      if (!isAlone) return;
      await share();
      await client.query('SELECT pg_advisory_unlock($1)', [NODE_LOCK]);
    },
    async leave() {
      hasLeft = true;
      // If the database is down, the other nodes notice by the missing heartbeat.
      await lease.leave().catch(() => {});
      await client.end().catch(() => {});
    },
  };
};

const joinOnSqlite = async (database: SqliteDatabase, clock: Pick<Clock, 'now'>): Promise<Membership> => {
  const { file, writer } = database;
  const unlock = lockForServer(file);
  // Removes relays of a killed run.
  await writer.deleteFrom('nodes').execute();
  const list = nodeList(database, clock);
  return {
    isAlone: true,
    admitOthers: async () => {},
    lease: undefined,
    relays: { enter: (id) => list.enter([id]), leave: (id) => list.leave([id]) },
    leave: async () => unlock(),
  };
};

/**
 * Joins the nodes on a database. SQLite has only one node: a second is refused (`unavailable`) before it could close
 * the first one's holds as those of a dead process. On PostgreSQL an advisory lock, which ends with its connection,
 * tells whether other nodes run.
 */
export const joinNodes = async (database: Database, clock: Pick<Clock, 'now'>): Promise<Membership> =>
  database.engine === 'postgres' ? joinOnPostgres(database, clock) : joinOnSqlite(database, clock);
