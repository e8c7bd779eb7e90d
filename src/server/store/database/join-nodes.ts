import type { Clock } from '#core/clock.ts';
import type { Database, PostgresDatabase, SqliteDatabase } from './database.ts';
import { requireCurrent } from './migrate.ts';
import { enterAsNode } from './postgres/enter-as-node.ts';
import { type NodeLease, nodeList, type RelayList, takeLease } from '../ledger/node-lease.ts';
import { lockForServer } from './sqlite/server-lock.ts';

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

const joinOnPostgres = async (database: PostgresDatabase, clock: Pick<Clock, 'now'>): Promise<Membership> => {
  const lock = await enterAsNode(database);
  await requireCurrent(database.writer, 'postgres').catch(async (error: unknown) => {
    await lock.leave();
    throw error;
  });
  // If one of them lives all the same, it finds itself removed, and ends the calls whose holds are closed now.
  if (lock.isAlone) await database.writer.deleteFrom('nodes').execute();
  const lease = await takeLease(database, clock);
  return {
    isAlone: lock.isAlone,
    lease,
    relays: lease.relays,
    admitOthers: () => lock.admitOthers(),
    async leave() {
      // If the database is down, the other nodes notice by the missing heartbeat.
      await lease.leave().catch(() => {});
      await lock.leave();
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
