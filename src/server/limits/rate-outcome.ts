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
  const windowFacts = (limit: number, window: RateWindow) => ({
    limit,
    remaining: Math.max(0, limit - countedIn(window, windowMs)),
    resetMs: freeInMs(window, windowMs, limit) || window.leftMs,
  });
  if (state === 'total_reached') return { state, ...windowFacts(total, all), remaining: 0 };
  if (state === 'succeeded_reached') return { state, ...windowFacts(succeeded, successes), remaining: 0 };
  const both = [
    ...(total > 0 ? [windowFacts(total, all)] : []),
    ...(succeeded > 0 ? [windowFacts(succeeded, successes)] : []),
  ].toSorted((left, right) => left.remaining - right.remaining);
  const nearest = both[0] ?? { limit: 0, remaining: 0, resetMs: 0 };
  return { state, ...nearest, ...(place !== undefined && { place }) };
};
