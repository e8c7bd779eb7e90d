import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { AppError } from '#core/error.ts';
import type { SqliteThread } from './sqlite-thread.ts';
import { storableParameters } from '../storable.ts';

/** Access to SQLite, in another thread or this one. */
export type SqliteConnection = Pick<SqliteThread, 'query' | 'acquire' | 'release' | 'close'>;

const connection = (thread: SqliteConnection): DatabaseConnection => {
  const self: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = await thread.query(sql, storableParameters(parameters), self);
      return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
    },
    streamQuery() {
      throw new Error('SQLite answers whole results');
    },
  };
  return self;
};

/** SQLite rolls back by itself if the disk is full. An error of our own rollback would hide the one that caused it. */
const unlessOver = (thrown: unknown): void => {
  const cause = thrown instanceof AppError ? thrown.cause : thrown;
  if (!(cause instanceof Error && cause.message.includes('no transaction is active'))) throw thrown;
};

/** A transaction has exclusive use of the thread from BEGIN to its end. */
const driver = (thread: SqliteConnection, begin: string): Driver => {
  const finish = async (owner: DatabaseConnection, statement: string) => {
    try {
      await thread.query(statement, [], owner);
    } finally {
      thread.release();
    }
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection(thread),
    beginTransaction: async (owner) => {
      await thread.acquire(owner);
      try {
        await thread.query(begin, [], owner);
      } catch (thrown) {
        thread.release();
        throw thrown;
      }
    },
    commitTransaction: (owner) => finish(owner, 'COMMIT'),
    rollbackTransaction: (owner) => finish(owner, 'ROLLBACK').catch(unlessOver),
    releaseConnection: async () => {},
    destroy: () => thread.close(),
  };
};

/** Kysely on a SQLite thread. `begin` is the statement that starts a transaction. */
export const sqliteDialect = (thread: SqliteConnection, begin: 'BEGIN' | 'BEGIN IMMEDIATE'): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => driver(thread, begin),
  createIntrospector: (database) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
