import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';

/** Counts in this process: at most `points` for each key, in a window that starts at the key's first use. */
export const createMemoryLimiter = (points: number, windowSeconds: number): RateLimiter => {
  const limiter = new RateLimiterMemory({ points, duration: windowSeconds });
  return {
    async take(key) {
      try {
        await limiter.consume(key);
        return { ok: true, retryAfterSeconds: 0 };
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) };
      }
    },
    async forget(key) {
      await limiter.delete(key);
    },
  };
};
