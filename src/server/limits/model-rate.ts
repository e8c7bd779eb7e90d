import type { ModelRateLimiter } from '#core/model-rate-limiter.ts';
import { WindowCounter } from './window-counter.ts';

/** The model request rate limit, counted in this process. */
export const createMemoryModelRateLimiter = (maxUsers = 100_000): ModelRateLimiter => {
  const all = new WindowCounter(maxUsers);
  const successes = new WindowCounter(maxUsers);
  return {
    begin(userId, limit, nowMs) {
      const { succeeded, total, windowMs } = limit;
      if (succeeded > 0 && successes.count(userId, windowMs, nowMs) >= succeeded) return 'succeeded_reached';
      if (total <= 0) return 'allowed';
      if (all.count(userId, windowMs, nowMs) >= total) return 'total_reached';
      all.add(userId, windowMs, nowMs);
      return 'allowed';
    },
    succeeded(userId, limit, nowMs) {
      if (limit.succeeded > 0) successes.add(userId, limit.windowMs, nowMs);
    },
  };
};
