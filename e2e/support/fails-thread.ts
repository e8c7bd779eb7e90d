/**
 * Loaded into a server with `--import`: on SIGUSR2 it sends every thread named in `FAILS_THREAD` a message that makes the
 * thread throw an uncaught error. Stands alone: nothing in the server imports it.
 */
process.on('worker', (worker) => {
  if (worker.threadName !== process.env['FAILS_THREAD']) return;
  process.on('SIGUSR2', () => worker.postMessage({ enter: null }));
});
