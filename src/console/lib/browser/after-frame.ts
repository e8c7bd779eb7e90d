/**
 * Calls `run` after the current drawing is on the screen. A plain timer may fire several times before that, and all its steps
 * would be painted at once.
 * @returns cancels it
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
