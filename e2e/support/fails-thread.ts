/**
 * Loaded into a server with `--import`: at SIGUSR2 each of its threads of the name in `FAILS_THREAD` gets a message that it
 * fails at, with an error that nothing in it catches. Stands alone: the server's code knows nothing of it.
 */
process.on('worker', (worker) => {
  if (worker.threadName !== process.env['FAILS_THREAD']) return;
  process.on('SIGUSR2', () => worker.postMessage({ enter: null }));
});
