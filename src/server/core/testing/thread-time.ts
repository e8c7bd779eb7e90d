/** How long this thread computed at the work, in milliseconds: the machine may be doing something else meanwhile. */
const threadMs = (work: () => void): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

/** Less than this is no time at all, whatever it is a part of. */
const LEAST_MS = 1;
const MOST_TRIES = 25;
/** Cost in proportion is 4 of a fourfold size, cost that grows with the square 16. */
const MOST_GROWTH = 8;

/**
 * Throws where four times the size takes far more than four times the time. Both are measured side by side in one run and
 * the best of several tries counts, so that a slow or busy machine says the same as a fast one.
 * @param workOf prepares the work of a size; only the work itself is measured
 */
export const expectInProportion = (size: number, workOf: (size: number) => () => void): void =>
  expectAlike([workOf(size), workOf(size * 4)], MOST_GROWTH);

/** Throws where the second work takes more than so many times the time of the first. */
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
