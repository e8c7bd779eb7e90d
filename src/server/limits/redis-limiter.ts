import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Increments; returns the count and the milliseconds left of the window, which began at the key's first use. */
const TAKE = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
`;

const answer = z.tuple([z.number(), z.number()]);

/**
 * Counts in Redis, for all nodes and across restarts: at most `points` for each key, in a window that starts at the
 * key's first use. While Redis does not answer, each node counts locally with `alone`.
 */
export const createRedisLimiter = (
  { ask }: RedisConnection,
  kind: string,
  points: number,
  windowSeconds: number,
  alone: RateLimiter,
): RateLimiter => {
  // A hash, so that Redis stores no address or name.
  const nameOf = (key: string): string =>
    `tollgate:limit:${createHash('sha256').update(`${kind} ${key}`).digest('base64url')}`;
  return {
    async take(key) {
      try {
        const [count, leftMs] = answer.parse(
          await ask((redis) => redis.eval(TAKE, 1, nameOf(key), windowSeconds * 1000)),
        );
        if (count <= points) return { ok: true, retryAfterSeconds: 0 };
        return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) };
      } catch {
        return alone.take(key);
      }
    },
    async forget(key) {
      await ask((redis) => redis.del(nameOf(key))).catch(() => undefined);
      await alone.forget(key);
    },
  };
};
