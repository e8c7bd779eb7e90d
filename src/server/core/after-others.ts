/** Resolves when what waits already has had its turn of the event loop. */
export const afterOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
