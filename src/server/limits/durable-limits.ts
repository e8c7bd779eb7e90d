import { createHash } from 'node:crypto';
import type { Clock } from '#core/clock.ts';
import type { CountStore } from '#core/limits/count-store.ts';
import type { RateLimiter, SharedLimiter } from '#core/limits/rate-limiter.ts';

/** Makes limiters: at most `points` for each key, in a window that starts at the key's first use. */
export type MakeLimiter = (kind: string, points: number, windowSeconds: number) => RateLimiter;
export type MakeDurableLimiter = (...of: Parameters<MakeLimiter>) => SharedLimiter;

/** Persistent limits shared by all nodes, for everything that could be guessed. */
export const createDurableLimits =
  (counts: CountStore, clock: Clock): MakeDurableLimiter =>
  (kind, points, windowSeconds) => {
    const nameOf = (key: string): string => createHash('sha256').update(`${kind} ${key}`).digest('base64url');
    return {
      async take(key) {
        const nowMs = clock.now();
        const { count, endsAtMs } = await counts.count(nameOf(key), windowSeconds * 1000, nowMs);
        if (count <= points) return { ok: true, retryAfterSeconds: 0 };
        return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)) };
      },
      forget: (key) => counts.forget(nameOf(key)),
      giveBack: (key) => counts.uncount(nameOf(key)),
    };
  };
