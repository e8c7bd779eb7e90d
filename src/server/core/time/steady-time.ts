import type { Clock } from '../clock.ts';

/**
 * A time for deadlines that a wrong clock must not end early: the clock's time, but never further ahead than time has
 * really passed since now. Setting the clock forward thus ends nothing. Whole milliseconds, like the clock.
 */
export const steadyTime = (clock: Clock): (() => number) => {
  const aheadMs = clock.now() - clock.monotonic();
  return () => Math.floor(Math.min(clock.now(), aheadMs + clock.monotonic()));
};
