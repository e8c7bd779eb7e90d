/**
 * One key of a sliding window: the count of the current window, and of the previous one, which still counts in part.
 */
export interface RateWindow {
  readonly count: number;
  readonly previous: number;
  /** Milliseconds until the current window ends. */
  readonly leftMs: number;
}

/** The count at this moment, rounded down. */
export const countedIn = ({ count, previous, leftMs }: RateWindow, windowMs: number): number =>
  Math.floor(count + (previous * Math.max(0, leftMs)) / windowMs);

/** Milliseconds until the count falls below `limit`, if nothing else is counted; 0 if it already is. */
export const freeInMs = (window: RateWindow, windowMs: number, limit: number): number => {
  if (countedIn(window, windowMs) < limit) return 0;
  const { count, previous, leftMs } = window;
  if (count < limit) return Math.ceil(leftMs - ((limit - count) * windowMs) / previous) + 1;
  return Math.ceil(leftMs + Math.max(0, windowMs - (limit * windowMs) / count)) + 1;
};
