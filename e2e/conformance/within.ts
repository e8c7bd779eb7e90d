/** What keeps this process busy or alive, by kind: `TCPSocketWrap 2, Timeout 1`. */
const openThings = (): string => {
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  return [...kinds].map(([kind, all]) => `${kind} ${String(all.length)}`).join(', ');
};

/** Waits for the work to end; if it takes longer, throws an error that lists what is still open. */
export const within = async <Value>(
  mostMs: number,
  what: string,
  work: () => Promise<Value>,
): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} took more than ${String(mostMs / 1000)} s; open: ${openThings()}`)),
      mostMs,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Ends the process if something keeps it alive after all work is done, and prints what. */
export const stopWithin = (mostMs: number): void => {
  setTimeout(() => {
    process.stderr.write(`all is done; still open: ${openThings()}\n`);
    process.exit();
  }, mostMs).unref();
};
