import type { Clock } from './clock.ts';

/**
 * The time by which something is over that a wrong clock must not end: the clock's, but never further on than time has really
 * passed since now. Whoever puts the clock forward ends nothing by that. In whole milliseconds, as the clock.
 */
export const steadyTime = (clock: Clock): (() => number) => {
  const aheadMs = clock.now() - clock.monotonic();
  return () => Math.floor(Math.min(clock.now(), aheadMs + clock.monotonic()));
};
