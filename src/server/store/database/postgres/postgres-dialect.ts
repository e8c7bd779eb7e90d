import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { unavailable } from '#core/error.ts';
import { copyOut } from './copy-out.ts';
import { storableParameters } from '../storable.ts';

const CONNECTIONS_MAX = 20;
const CONNECTION_WAIT_MS = 2000;
/** Far longer than any statement that a call or a console page waits for. */
const SILENCE_MS = 12_000;
/**
 * How long a transaction may wait for its node: one that is suspended or cut off keeps what it has locked, accounts among it, and
 * all others wait for it. Less than `SILENCE_MS`, so that their statements go on.
 */
const ABSENCE_MS = 5000;
/** int8 and numeric as numbers: ours are integers of at most 2^53−1, sums included. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 1700]);

/** By a statement, because poolers in between refuse to connect with settings. */
const limitAbsence = (client: PoolClient, done: (error?: Error) => void): void =>
  client.query(`SET idle_in_transaction_session_timeout = ${ABSENCE_MS}`, (error) => done(error));

/**
 * The connections of one node. A connection that breaks, idle or in use, is not fatal: its query fails, if it has one, and
 * the next opens another. A silent server counts as lost after the timeout, except for work without a time limit.
 */
export const postgresPool = (url: string, { patient = false, connections = CONNECTIONS_MAX } = {}): Pool => {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    keepAlive: true,
    ...(patient ? {} : { query_timeout: SILENCE_MS, verify: limitAbsence }),
    types: {
      getTypeParser: (oid, format) =>
        NUMBER_TYPES.has(oid) ? Number : types.getTypeParser(oid, format as 'text'),
    } as typeof types,
  });
  pool.on('error', () => {});
  // The pool handles errors of idle connections only. An unhandled error of one in use would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

/** Runs `work` on a connection; every database failure becomes `unavailable`, and a broken connection is dropped. */
export const onPostgres = async <Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect().catch((thrown: unknown) => {
    throw unavailable(thrown);
  });
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (thrown) {
    client.release(true);
    throw unavailable(thrown);
  }
};

interface PostgresConnection extends DatabaseConnection {
  readonly client: PoolClient;
  broken: boolean;
}

const connection = (client: PoolClient): PostgresConnection => {
  const self: PostgresConnection = {
    client,
    broken: false,
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      try {
        const { rows, rowCount } = await client.query(sql, storableParameters(parameters));
        return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
      } catch (thrown) {
        self.broken = true;
        throw unavailable(thrown);
      }
    },
    /** Used only for COPY statements; others return whole results. */
    async *streamQuery<Row>({ sql }: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
      try {
        for await (const lines of copyOut(client, sql)) yield { rows: [lines as Row] };
      } catch (thrown) {
        self.broken = true;
        throw unavailable(thrown);
      }
    },
  };
  return self;
};

const say = async (owner: DatabaseConnection, statement: string) => {
  await (owner as PostgresConnection).executeQuery(CompiledQuery.raw(statement));
};

const driver = (pool: Pool): Driver => ({
  init: async () => {},
  acquireConnection: async () =>
    connection(
      await pool.connect().catch((thrown: unknown) => {
        throw unavailable(thrown);
      }),
    ),
  beginTransaction: (owner, { isolationLevel, accessMode }) =>
    say(
      owner,
      ['BEGIN', isolationLevel && `ISOLATION LEVEL ${isolationLevel}`, accessMode].filter(Boolean).join(' '),
    ),
  commitTransaction: (owner) => say(owner, 'COMMIT'),
  rollbackTransaction: (owner) => say(owner, 'ROLLBACK'),
  releaseConnection: async (owner) => {
    const { client, broken } = owner as PostgresConnection;
    client.release(broken);
  },
  destroy: () => pool.end(),
});

/** Kysely on a PostgreSQL pool. */
export const postgresDialect = (pool: Pool): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver(pool),
  createIntrospector: (database) => new PostgresIntrospector(database),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
