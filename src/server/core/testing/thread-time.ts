/** Milliseconds of CPU time this thread spent on the work: wall time would include other programs. */
export const threadMs = (work: () => void): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

/** Shorter times are too small to compare. */
const LEAST_MS = 1;
const MOST_TRIES = 25;
/** At four times the size, linear cost grows 4 times, quadratic cost 16 times. */
const MOST_GROWTH = 8;

/**
 * Throws if four times the size takes far more than four times as long. Both sizes are measured alternately and the
 * best of several tries counts, so the result does not depend on the machine's load.
 * @param workOf prepares the work of a size; only the work itself is measured
 */
export const expectInProportion = (size: number, workOf: (size: number) => () => void): void =>
  expectAlike([workOf(size), workOf(size * 4)], MOST_GROWTH);

/** Throws if the second work takes more than `mostTimes` the time of the first. */
export const expectAlike = ([one, other]: readonly [() => void, () => void], mostTimes: number): void => {
  let oneMs = Infinity;
  let otherMs = Infinity;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    oneMs = Math.min(oneMs, threadMs(one));
    otherMs = Math.min(otherMs, threadMs(other));
    if (otherMs <= Math.max(oneMs, LEAST_MS) * mostTimes) return;
  }
  throw new Error(`takes ${otherMs} ms where the other takes ${oneMs} ms`);
};
