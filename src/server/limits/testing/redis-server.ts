import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';

export const redisPlaces = ['/usr/bin/redis-server', '/usr/bin/valkey-server', '/usr/local/bin/redis-server'];
const program = redisPlaces.find((path) => existsSync(path));

/** Whether a Redis server is installed. If not, its tests are reported as skipped. */
export const hasRedis = program !== undefined;

export interface RunningRedis {
  readonly url: string;
  flush(): Promise<unknown>;
  /** The number of keys. */
  count(): Promise<number>;
  /** Makes it a copy of a server that is not there, which takes nothing in, or a server of its own again. */
  beCopy(isCopy: boolean): Promise<unknown>;
  /** How many connections it has accepted. */
  accepted(): Promise<number>;
  /** Stops answering, but keeps its connections, until resumed. */
  pause(): void;
  goOn(): void;
  stop(): void;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** A Redis or Valkey of its own that stores nothing on disk. */
export const startRedis = async (): Promise<RunningRedis> => {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn(program ?? '', args, { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(url, { retryStrategy: () => 50 });
  redis.on('error', () => undefined);
  await redis.ping();
  return {
    url,
    flush: () => redis.flushall(),
    count: () => redis.dbsize(),
    beCopy: (isCopy) => (isCopy ? redis.replicaof('127.0.0.1', 1) : redis.replicaof('NO', 'ONE')),
    accepted: async () =>
      Number(/total_connections_received:(\d+)/.exec(await redis.info('stats'))?.[1] ?? 0),
    pause: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
    stop: () => {
      redis.disconnect();
      server.kill('SIGKILL');
    },
  };
};
