import type { ModelRateLimit, ModelRateLimiter, ModelRateOutcome } from '#core/limits/model-rate-limiter.ts';
import type { RateWindow } from '#core/limits/rate-window.ts';
import { rateOutcome } from './rate-outcome.ts';
import { WindowCounter } from './window-counter.ts';

/** A limiter that can continue from another counter's state. */
export interface MemoryModelRateLimiter extends ModelRateLimiter {
  /** Takes over the current windows of a user's calls and successes. */
  learn(
    userId: number,
    limit: ModelRateLimit,
    windows: { readonly all: RateWindow; readonly successes: RateWindow },
    nowMs: number,
  ): void;
}

/** The model request rate limit, counted in this process. */
export const createMemoryModelRateLimiter = (maxUsers = 100_000): MemoryModelRateLimiter => {
  const all = new WindowCounter(maxUsers);
  const successes = new WindowCounter(maxUsers);
  return {
    begin(userId, limit, nowMs) {
      const { succeeded, total, windowMs } = limit;
      const outcome = (state: ModelRateOutcome['state']): ModelRateOutcome =>
        rateOutcome(
          state,
          limit,
          succeeded > 0 ? { userId, windowMs, takenAtMs: nowMs } : undefined,
          all.window(userId, windowMs, nowMs),
          successes.window(userId, windowMs, nowMs),
        );
      if (succeeded > 0 && successes.count(userId, windowMs, nowMs) >= succeeded)
        return outcome('succeeded_reached');
      if (total > 0 && all.count(userId, windowMs, nowMs) >= total) return outcome('total_reached');
      if (total > 0) all.add(userId, windowMs, nowMs);
      if (succeeded > 0) successes.add(userId, windowMs, nowMs);
      return outcome('allowed');
    },
    learn(userId, { total, succeeded, windowMs }, windows, nowMs) {
      if (total > 0) all.learn(userId, windows.all, windowMs, nowMs);
      if (succeeded > 0) successes.learn(userId, windows.successes, windowMs, nowMs);
    },
    giveBack({ userId, takenAtMs, windowMs }, nowMs) {
      successes.takeBack(userId, takenAtMs, windowMs, nowMs);
    },
    succeeded(userId, limit, nowMs) {
      if (limit.succeeded > 0) successes.add(userId, limit.windowMs, nowMs);
    },
  };
};
