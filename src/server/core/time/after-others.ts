/** Resolves after the work already waiting in the event loop has run. */
export const afterOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
