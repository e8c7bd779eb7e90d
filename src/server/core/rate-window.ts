/** One key of a sliding window: what came in this window, and in the one before as far as it still reaches in. */
export interface RateWindow {
  readonly count: number;
  readonly previous: number;
  /** Until this window ends. */
  readonly leftMs: number;
}

/** What counts now, rounded down. */
export const countedIn = ({ count, previous, leftMs }: RateWindow, windowMs: number): number =>
  Math.floor(count + (previous * Math.max(0, leftMs)) / windowMs);

/** How long until fewer than `limit` count, if nothing more comes; 0 where that is so already. */
export const freeInMs = (window: RateWindow, windowMs: number, limit: number): number => {
  if (countedIn(window, windowMs) < limit) return 0;
  const { count, previous, leftMs } = window;
  if (count < limit) return Math.ceil(leftMs - ((limit - count) * windowMs) / previous) + 1;
  return Math.ceil(leftMs + Math.max(0, windowMs - (limit * windowMs) / count)) + 1;
};
