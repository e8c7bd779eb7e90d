import { vi } from 'vitest';
import { type RunningRedis, startRedis } from '../../src/server/limits/testing/redis-server.ts';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { type Database, openDatabase } from '../../src/server/store/database/database.ts';
import { startPostgres } from '../../src/server/store/testing/postgres-server.ts';
import { type Operator, rootPassword, setOption, setUp, signIn } from './operator.ts';
import { shortLived, startTollgate, type Tollgate } from './tollgate.ts';

/** Two nodes of one site, each a process, with their own PostgreSQL, and with Redis unless news go through PostgreSQL. */
export interface TwoNodes {
  readonly root: Operator;
  readonly database: Database;
  /** The address of a node. Any number is accepted, so that numbered calls alternate between the nodes. */
  url(at: number): string;
  /** Sets options and waits until both nodes use them. */
  set(options: Readonly<Record<string, unknown>>): Promise<void>;
  /** Stops Redis from answering, and lets it answer again. */
  readonly redis: Pick<RunningRedis, 'pause' | 'goOn'>;
  /** Kills a node's process, as in a crash. */
  kill(at: number): Promise<void>;
  /** Starts a new process for a killed node. */
  revive(at: number): Promise<void>;
  /** The findings of the audit. */
  violated(): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** A user who is signed in at both nodes. */
export interface Somebody {
  readonly id: number;
  readonly here: Operator;
  /** By number, so that numbered calls alternate between the nodes. */
  at(at: number): Operator;
}

/** Makes an account. */
export const somebody = async ({ root, url }: TwoNodes, username: string): Promise<Somebody> => {
  await root.call('/api/user', { method: 'POST', body: { username, password: rootPassword } });
  const here = await signIn(url(0), username, rootPassword);
  const there = await signIn(url(1), username, rootPassword);
  return { id: here.userId, here, at: (at) => (at % 2 === 0 ? here : there) };
};

/** High enough that no rate limit interferes. */
const MANY = '1000000';

/** @param newsBy what carries news between them */
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
      // The name is set last, so it arrives last.
      for (const [key, value] of Object.entries({ ...options, SystemName: `Site ${heard}` }))
        await setOption(root, key, value);
      await vi.waitFor(async () => {
        const { data } = (await (await fetch(`${url(1)}/api/status`)).json()) as {
          data: { system_name: string };
        };
        if (data.system_name !== `Site ${heard}`) throw new Error('the other node has not heard of it');
      }, 30_000);
    },
    violated: () => brokenRules(database),
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
    nodeFlags: shortLived,
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
