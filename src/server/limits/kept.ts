import { createHash } from 'node:crypto';
import type { Clock } from '#core/clock.ts';
import type { CountStore } from '#core/count-store.ts';
import type { RateLimiter } from '#core/rate-limiter.ts';

/** Makes limiters of a kind: at most `points` for each key in a window that starts with the key's first. */
export type MakeLimiter = (kind: string, points: number, windowSeconds: number) => RateLimiter;

/** Limits that hold over a restart and for all nodes together: for whatever somebody could guess. */
export const createKeptLimits =
  (counts: CountStore, clock: Clock): MakeLimiter =>
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
    };
  };
