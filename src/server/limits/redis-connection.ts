import { Redis } from 'ioredis';
import type { Log } from '#core/logging.ts';

/** How long a call waits for a count. */
const TIMEOUT_MS = 500;
/** After a timeout Redis is not asked for this long, so that only one call waits and not all. */
const LEFT_ALONE_MS = 2000;

/** The Redis connection for counting; logs once when it is lost and once when it is back. */
export interface RedisConnection {
  /** Rejects if Redis does not answer, and at once if it did not a moment ago: the caller then counts locally. */
  ask<Answer>(question: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /**
   * Hears what is published there, on a connection of its own; a broken one is opened again.
   * @returns a function that closes it
   */
  listen(channel: string, hear: (text: string) => void): () => void;
  /** Resolves when Redis answers for the first time. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Connects and reconnects by itself; never throws if Redis is not there. */
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
    listen(channel, hear) {
      const ear = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
      // The connection that counts says whether Redis answers.
      ear.on('error', () => undefined);
      ear.on('message', (_, text) => hear(text));
      ear.subscribe(channel).catch(() => undefined);
      return () => ear.disconnect();
    },
    ready: () =>
      redis.status === 'ready'
        ? Promise.resolve()
        : new Promise((resolve) => void redis.once('ready', () => resolve())),
    close: async () => redis.disconnect(),
  };
};
