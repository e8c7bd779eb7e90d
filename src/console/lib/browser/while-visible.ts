/**
 * Calls `run` at an interval while the page is visible, and at once when it becomes visible after a missed call. The query
 * client does this itself; this is for data from elsewhere, or for query keys that move with time.
 * @returns stops it
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
