/**
 * Calls `run` once what was drawn so far is on the screen. A mere timer may come several times before that: then all of its
 * steps are laid out and painted at once, as if there were none.
 * @returns takes it back
 */
export const afterFrame = (run: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run, 0);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
};
