import type { ModelRateLimit, ModelRateOutcome, ModelRatePlace } from '#core/limits/model-rate-limiter.ts';
import { countedIn, freeInMs, type RateWindow } from '#core/limits/rate-window.ts';

/** What a caller may know about the windows its call was counted in. */
export const rateOutcome = (
  state: ModelRateOutcome['state'],
  { total, succeeded, windowMs }: ModelRateLimit,
  place: ModelRatePlace | undefined,
  all: RateWindow,
  successes: RateWindow,
): ModelRateOutcome => {
  const leftOfAll = total > 0 ? Math.max(0, total - countedIn(all, windowMs)) : Infinity;
  const leftOfSuccesses = succeeded > 0 ? Math.max(0, succeeded - countedIn(successes, windowMs)) : Infinity;
  const isOfAll = state === 'total_reached' || (state === 'allowed' && leftOfAll <= leftOfSuccesses);
  const limit = isOfAll ? total : succeeded;
  const remaining = state === 'allowed' ? Math.min(leftOfAll, leftOfSuccesses) : 0;
  // Nothing is limited.
  if (remaining === Infinity) return { state, limit: 0, remaining: 0, resetMs: 0, ...(place && { place }) };
  const window = isOfAll ? all : successes;
  const resetMs = freeInMs(window, windowMs, limit) || window.leftMs;
  return state === 'allowed' && place !== undefined
    ? { state, limit, remaining, resetMs, place }
    : { state, limit, remaining, resetMs };
};
