/** Waits without keeping the process from ending. */
export const unheldWait = (waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, waitMs).unref();
  });
