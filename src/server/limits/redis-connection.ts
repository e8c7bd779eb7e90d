import { Redis } from 'ioredis';
import type { Log } from '#core/logging.ts';

/** A call does not wait longer for a count. */
const TIMEOUT_MS = 500;
/** A Redis that was silent is not asked again for so long: one call waits for it then, not every one. */
const LEFT_ALONE_MS = 2000;

/** What counts in Redis: one connection, and one sentence in the log when it goes and comes. */
export interface RedisConnection {
  /** Rejects where Redis does not answer, at once where it did not a moment ago: whoever asks then counts alone. */
  ask<Answer>(question: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** Resolves when Redis answers for the first time. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Connects by itself, again and again; it never throws for a Redis that is not there. */
export const createRedisConnection = (url: string, log: Log): RedisConnection => {
  const redis = new Redis(url, {
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 200, 5000),
  });
  let isDown = false;
  let leftAloneUntilMs = 0;
  const failed = (error: unknown): void => {
    if (!isDown) log.warn('redis does not answer: limits are counted by node', { error: String(error) });
    isDown = true;
  };
  redis.on('error', failed);
  const answered = (): void => {
    if (isDown) log.info('redis answers again');
    isDown = false;
    leftAloneUntilMs = 0;
  };
  redis.on('ready', answered);
  return {
    async ask(question) {
      if (performance.now() < leftAloneUntilMs) throw new Error('redis did not answer a moment ago');
      try {
        const answer = await question(redis);
        answered();
        return answer;
      } catch (error) {
        leftAloneUntilMs = performance.now() + LEFT_ALONE_MS;
        failed(error);
        throw error;
      }
    },
    ready: () =>
      redis.status === 'ready'
        ? Promise.resolve()
        : new Promise((resolve) => void redis.once('ready', () => resolve())),
    close: async () => redis.disconnect(),
  };
};
