const TURNS = 500;

/**
 * Waits until a number has stayed the same for many turns of the event loop. For numbers that change in this process or
 * on a connection that ends in it.
 */
export const untilStill = async (read: () => number): Promise<number> => {
  let last = read();
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = read();
    if (now !== last) turn = 0;
    last = now;
  }
  return last;
};
