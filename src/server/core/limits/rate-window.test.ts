import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countedIn, freeInMs, type RateWindow } from './rate-window.ts';

const WINDOW_MS = 60_000;

/** The same window some time later, if nothing else was counted. */
const later = ({ count, previous, leftMs }: RateWindow, passedMs: number): RateWindow => {
  if (passedMs < leftMs) return { count, previous, leftMs: leftMs - passedMs };
  return { count: 0, previous: count, leftMs: Math.max(0, leftMs + WINDOW_MS - passedMs) };
};

test('a caller who waits for `Retry-After` may call again, but not much sooner', () => {
  const windows = fc.record({
    count: fc.integer({ min: 0, max: 50 }),
    previous: fc.integer({ min: 0, max: 50 }),
    leftMs: fc.integer({ min: 1, max: WINDOW_MS }),
  });
  fc.assert(
    fc.property(windows, fc.integer({ min: 1, max: 50 }), (window, limit) => {
      const waitMs = freeInMs(window, WINDOW_MS, limit);
      expect(countedIn(later(window, waitMs), WINDOW_MS)).toBeLessThan(limit);
      const isSooner = waitMs > 3 && countedIn(later(window, waitMs - 3), WINDOW_MS) < limit;
      expect(isSooner).toBe(false);
    }),
  );
});
