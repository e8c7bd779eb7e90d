import { vi } from 'vitest';
import { type RunningRedis, startRedis } from '../../src/server/limits/testing/redis-server.ts';
import { auditDatabase } from '../../src/server/store/ledger/audit.ts';
import { type Database, openDatabase } from '../../src/server/store/database/database.ts';
import { startPostgres } from '../../src/server/store/testing/postgres-server.ts';
import { type Operator, rootPassword, setOption, setUp, signIn } from './operator.ts';
import { startTollgate, type Tollgate } from './tollgate.ts';

/** Two nodes of one site, each a process, on a PostgreSQL of their own, with a Redis unless they hear each other without. */
export interface TwoNodes {
  readonly root: Operator;
  readonly database: Database;
  /** The address of a node; of any number, so that calls are spread by counting them. */
  url(at: number): string;
  /** Sets options and waits until both nodes have heard of them. */
  set(options: Readonly<Record<string, unknown>>): Promise<void>;
  /** Redis falls silent, and answers again. */
  readonly redis: Pick<RunningRedis, 'pause' | 'goOn'>;
  /** Ends a node's process at once, as a crash does. */
  kill(at: number): Promise<void>;
  /** Starts another process in the place of one that was killed. */
  revive(at: number): Promise<void>;
  /** What the audit finds wrong. */
  violated(): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** Somebody with an account, signed in at both nodes. */
export interface Somebody {
  readonly id: number;
  readonly here: Operator;
  /** By number, so that calls are spread by counting them. */
  at(at: number): Operator;
}

/** Makes an account. */
export const somebody = async ({ root, url }: TwoNodes, username: string): Promise<Somebody> => {
  await root.call('/api/user', { method: 'POST', body: { username, password: rootPassword } });
  const here = await signIn(url(0), username, rootPassword);
  const there = await signIn(url(1), username, rootPassword);
  return { id: here.userId, here, at: (at) => (at % 2 === 0 ? here : there) };
};

/** No limit of these is what is tried. */
const MANY = '1000000';

/** @param newsBy how they hear of each other */
export const startTwoNodes = async (newsBy: 'PostgreSQL' | 'Redis' = 'Redis'): Promise<TwoNodes> => {
  const [postgres, redis] = await Promise.all([
    startPostgres(),
    newsBy === 'Redis' ? startRedis() : undefined,
  ]);
  const start = () => startNode(postgres.url, redis);
  const first = await start();
  const nodes: Tollgate[] = [first, await start()];
  const root = await setUp(first);
  const database = await openDatabase({ engine: 'postgres', url: postgres.url });
  let heard = 0;
  const url = (at: number): string => nodes[at % nodes.length]?.url ?? '';
  return {
    root,
    database,
    redis: { pause: () => redis?.pause(), goOn: () => redis?.goOn() },
    url,
    kill: async (at) => {
      await nodes[at]?.program.end('SIGKILL');
    },
    async revive(at) {
      nodes[at] = await start();
    },
    async set(options) {
      heard += 1;
      // The name is set last, so it is heard of last.
      for (const [key, value] of Object.entries({ ...options, SystemName: `Site ${heard}` }))
        await setOption(root, key, value);
      await vi.waitFor(async () => {
        const { data } = (await (await fetch(`${url(1)}/api/status`)).json()) as {
          data: { system_name: string };
        };
        if (data.system_name !== `Site ${heard}`) throw new Error('the other node has not heard of it');
      }, 30_000);
    },
    violated: async () =>
      (await auditDatabase(database, Date.now())).filter(({ violations }) => violations > 0),
    async stop() {
      await database.close();
      await Promise.all(nodes.map((node) => node.stop()));
      redis?.stop();
      await postgres.stop();
    },
  };
};

const startNode = (databaseUrl: string, redis: RunningRedis | undefined): Promise<Tollgate> =>
  startTollgate({
    env: {
      DATABASE_URL: databaseUrl,
      ...(redis !== undefined && { REDIS_URL: redis.url }),
      TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
      TOLLGATE_LOGIN_LIMIT_PER_ADDRESS: MANY,
      TOLLGATE_REGISTER_LIMIT_PER_ADDRESS: MANY,
      TOLLGATE_API_LIMIT_PER_ADDRESS: MANY,
      TOLLGATE_NODE_SILENCE_SECONDS: '2',
    },
  });
