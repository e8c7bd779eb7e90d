/**
 * Calls `run` at an interval while the page is visible, and at once when it is visible again after a call was left out.
 * What comes from the query client does so by itself; this is for what comes in other ways, or moves its keys on.
 * @returns ends it
 */
export const whileVisible = (everyMs: number, run: () => void): (() => void) => {
  let isLate = false;
  const due = (): void => {
    isLate = document.hidden;
    if (!isLate) run();
  };
  const seen = (): void => {
    if (isLate) due();
  };
  const timer = setInterval(due, everyMs);
  document.addEventListener('visibilitychange', seen);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', seen);
  };
};
