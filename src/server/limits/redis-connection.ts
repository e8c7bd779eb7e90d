import { Redis } from 'ioredis';
import type { Log } from '#core/logging.ts';

/** A call does not wait longer for a count. */
const TIMEOUT_MS = 500;

/** What counts in Redis: one connection, and one sentence in the log when it goes and comes. */
export interface RedisConnection {
  readonly redis: Redis;
  /** Whoever was not answered counts alone, and says so here. */
  failed(error: unknown): void;
  /** Resolves when Redis answers for the first time. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export const createRedisConnection = (url: string, log: Log): RedisConnection => {
  const redis = new Redis(url, {
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 200, 5000),
  });
  let isDown = false;
  const failed = (error: unknown): void => {
    if (!isDown) log.warn('redis does not answer: limits are counted by node', { error: String(error) });
    isDown = true;
  };
  redis.on('error', failed);
  redis.on('ready', () => {
    if (isDown) log.info('redis answers again');
    isDown = false;
  });
  return {
    redis,
    failed,
    ready: () =>
      redis.status === 'ready'
        ? Promise.resolve()
        : new Promise((resolve) => void redis.once('ready', () => resolve())),
    close: async () => redis.disconnect(),
  };
};
