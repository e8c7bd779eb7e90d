import { Redis } from 'ioredis';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';

/** How long a call waits for a count. */
const TIMEOUT_MS = 500;
/** If Redis does not answer, a separate probe checks it at this interval, so that no call waits for it. */
const PROBE_EVERY_MS = 500;
/** A connection without any answer for this time is reopened, because its other end may be gone. */
const DEAD_AFTER_MS = 5000;

/** The Redis connection for counting; logs once when it is lost and once when it is back. */
export interface RedisConnection {
  /** Rejects if Redis does not answer, and at once while it is known not to: the caller then counts locally. */
  ask<Answer>(question: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** Publishes there, also while Redis takes no counts in. Rejects if it does not answer. */
  publish(channel: string, text: string): Promise<unknown>;
  /**
   * Receives what is published there, on a separate connection; a broken one is reopened.
   * @returns a function that closes it
   */
  listen(channel: string, hear: (text: string) => void): () => void;
  /** Resolves when Redis answers for the first time. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** How often a connection that only listens is asked for a sign, and how long it may give none. */
const LISTENING = { askEveryMs: 5000, deadAfterMs: DEAD_AFTER_MS };

/**
 * Returns a function that asks whether Redis is there, each time it is called. It reopens a connection that has given no
 * answer for too long; one that is not open reopens by itself.
 */
const asking = (
  { redis, clock }: { readonly redis: Redis; readonly clock: Pick<Clock, 'monotonic'> },
  deadAfterMs: number,
  sign: () => Promise<unknown>,
  answered?: () => void,
): (() => void) => {
  let askedAtMs: number | undefined;
  const over = (): void => void (askedAtMs = undefined);
  redis.on('ready', over);
  return () => {
    if (redis.status !== 'ready') return;
    if (askedAtMs === undefined) {
      askedAtMs = clock.monotonic();
      sign().then(answered).then(over, over);
    } else if (clock.monotonic() - askedAtMs > deadAfterMs) {
      over();
      redis.disconnect(true);
    }
  };
};

/** Connects and reconnects by itself; never throws if Redis is not there. */
export const createRedisConnection = (
  url: string,
  { log, clock }: { readonly log: Log; readonly clock: Pick<Clock, 'monotonic'> },
  listening = LISTENING,
): RedisConnection => {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 200, 5000),
    // Another server has taken its place, at the same address: this connection would stay with the one that takes nothing in.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
  });
  let isDown = false;
  let probe: NodeJS.Timeout | undefined;
  const failed = (error: unknown): void => {
    if (!isDown) log.warn('redis does not answer: limits are counted by node', { error: String(error) });
    isDown = true;
    probe ??= setInterval(isItBack, PROBE_EVERY_MS).unref();
  };
  redis.on('error', failed);
  const answered = (): void => {
    clearInterval(probe);
    probe = undefined;
    if (isDown) log.info('redis answers again');
    isDown = false;
  };
  // Something is written, as counting does: a server that is full, or a copy of another one, still answers pings.
  const write = () => redis.set('tollgate:there', '', 'PX', PROBE_EVERY_MS);
  const isItBack = asking({ redis, clock }, DEAD_AFTER_MS, write, answered);
  redis.on('ready', isItBack);
  return {
    async ask(question) {
      if (isDown) throw new Error('redis does not answer');
      try {
        return await inTime(question(redis));
      } catch (error) {
        failed(error);
        throw error;
      }
    },
    publish: (channel, text) => inTime(redis.publish(channel, text)),
    listen(channel, hear) {
      const ear = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
      // The counting connection reports whether Redis answers.
      ear.on('error', () => undefined);
      ear.on('message', (_, text) => hear(text));
      ear.subscribe(channel).catch(() => undefined);
      // Whoever only listens hears nothing of a connection that is gone without a word.
      const isThere = asking({ redis: ear, clock }, listening.deadAfterMs, () => ear.ping());
      const timer = setInterval(isThere, listening.askEveryMs).unref();
      return () => {
        clearInterval(timer);
        ear.disconnect();
      };
    },
    ready: () =>
      redis.status === 'ready'
        ? Promise.resolve()
        : new Promise((resolve) => void redis.once('ready', () => resolve())),
    close: async () => {
      clearInterval(probe);
      redis.disconnect();
    },
  };
};

/**
 * Rejects if no answer arrives in time. An answer that has already arrived is accepted: it was not read yet because
 * this process was busy.
 */
const inTime = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new Error('redis did not answer in time'));
    timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
};
