import type { Clock } from '../clock.ts';
import { DAY_MS } from './spans.ts';

/** The clocks of nodes differ by less. A stored time that is further ahead is from before the clock was set back. */
export const MOST_AHEAD_MS = 5000;

/**
 * A time for deadlines that a wrong clock must not end early: the clock's time, but never further ahead than time has
 * really passed since now. Setting the clock forward thus ends nothing. Whole milliseconds, like the clock.
 */
export const steadyTime = (clock: Clock): (() => number) => {
  const aheadMs = clock.now() - clock.monotonic();
  return () => Math.floor(Math.min(clock.now(), aheadMs + clock.monotonic()));
};

/** A clock that is corrected gradually moves by less than this between two looks. */
const LITTLE_MS = 1000;

/**
 * A time for deleting what has expired, which cannot be undone. A clock that is set forward counts only once it has
 * been ahead for a day: by then a wrong clock has been corrected, and nothing was deleted because of it.
 */
export const timeToForget = (clock: Clock): (() => number) => {
  let aheadMs = clock.now() - clock.monotonic();
  let ahead: { readonly sinceMs: number; readonly leastMs: number } | undefined;
  return () => {
    const monotonicMs = clock.monotonic();
    const nowAheadMs = clock.now() - monotonicMs;
    if (nowAheadMs <= aheadMs + LITTLE_MS) {
      aheadMs = nowAheadMs;
      ahead = undefined;
    } else {
      const { sinceMs = monotonicMs, leastMs = nowAheadMs } = ahead ?? {};
      ahead = { sinceMs, leastMs: Math.min(leastMs, nowAheadMs) };
      if (monotonicMs - sinceMs >= DAY_MS) {
        aheadMs = ahead.leastMs;
        ahead = undefined;
      }
    }
    return Math.floor(aheadMs + monotonicMs);
  };
};
