import type {
  ModelRateLimit,
  ModelRateLimiter,
  ModelRateOutcome,
  ModelRatePlace,
} from '#core/limits/model-rate-limiter.ts';

/** The counter for all relays of this process. */
export interface RateCounter {
  begin(userId: number, limit: ModelRateLimit, nowMs: number): Promise<ModelRateOutcome>;
  giveBack: ModelRateLimiter['giveBack'];
  succeeded: ModelRateLimiter['succeeded'];
}

/**
 * The model request rate limit, counted in another thread for all relays. While that thread does not answer, this relay
 * counts with `alone`, so that calls go on.
 */
export const createAskedModelRateLimiter = (
  counter: RateCounter,
  alone: ModelRateLimiter,
): ModelRateLimiter => {
  const takenAlone = new WeakSet<ModelRatePlace>();
  return {
    async begin(userId, limit, nowMs) {
      try {
        return await counter.begin(userId, limit, nowMs);
      } catch {
        const outcome = await alone.begin(userId, limit, nowMs);
        if (outcome.place !== undefined) takenAlone.add(outcome.place);
        return outcome;
      }
    },
    giveBack: (place, nowMs) => (takenAlone.has(place) ? alone : counter).giveBack(place, nowMs),
    succeeded: (userId, limit, nowMs) => counter.succeeded(userId, limit, nowMs),
  };
};
