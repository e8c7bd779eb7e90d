import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { unavailable } from './unavailable.ts';

const CONNECTIONS_MAX = 20;
const CONNECTION_WAIT_MS = 2000;
/** Nothing that a call or a page of the console waits for takes anywhere near this long. */
const SILENCE_MS = 12_000;
/** int8 and numeric: our numbers are whole and at most 2^53−1, sums included. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 1700]);

/**
 * The connections of one node. Errors of idle ones are not fatal: the next query opens another. A server that went
 * silent is given up like one that is gone, unless the work may take as long as it likes.
 */
export const postgresPool = (url: string, { patient = false } = {}): Pool => {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    keepAlive: true,
    ...(patient ? {} : { query_timeout: SILENCE_MS }),
    types: {
      getTypeParser: (oid, format) =>
        NUMBER_TYPES.has(oid) ? Number : types.getTypeParser(oid, format as 'text'),
    } as typeof types,
  });
  pool.on('error', () => {});
  return pool;
};

/** Runs `work` on a connection; every failure of the database becomes `unavailable`, and a broken connection is dropped. */
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
        const { rows, rowCount } = await client.query(sql, [...parameters]);
        return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
      } catch (thrown) {
        self.broken = true;
        throw unavailable(thrown);
      }
    },
    streamQuery() {
      throw new Error('PostgreSQL answers whole results');
    },
  };
  return self;
};

const say = async (owner: DatabaseConnection, statement: string) => {
  await (owner as PostgresConnection).executeQuery({
    sql: statement,
    parameters: [],
  } as unknown as CompiledQuery);
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
