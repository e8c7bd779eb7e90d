/**
 * Loaded into the measured server with `--import`; the server's code knows nothing of it. Measures the longest time that
 * the event loop was blocked; every request to a port of its own returns that time and resets it. `/kill` ends the
 * server's threads for large bodies, those that run now and those that begin, until `/spare`.
 */
import { createServer } from 'node:http';
import { isMainThread, type Worker } from 'node:worker_threads';

const HEARTBEAT_MS = 1;

/** Terminates the threads that parse large bodies. */
const watchThreads = (): ((kills: boolean) => void) => {
  const threads = new Set<Worker>();
  let isKilling = false;
  process.on('worker', (worker) => {
    if (worker.threadName !== 'far') return;
    threads.add(worker);
    worker.on('exit', () => threads.delete(worker));
    if (isKilling) void worker.terminate();
  });
  return (kills) => {
    isKilling = kills;
    if (kills) for (const worker of threads) void worker.terminate();
  };
};

const startProbe = (port: number): void => {
  let wallMs = 0;
  let busyMs = 0;
  let lastMs = performance.now();
  let lastBusy = process.threadCpuUsage();
  const beat = (): void => {
    const nowMs = performance.now();
    wallMs = Math.max(wallMs, nowMs - lastMs);
    lastMs = nowMs;
    const { user, system } = process.threadCpuUsage(lastBusy);
    lastBusy = process.threadCpuUsage();
    busyMs = Math.max(busyMs, (user + system) / 1000);
  };
  setInterval(beat, HEARTBEAT_MS).unref();
  const kill = watchThreads();
  const server = createServer(({ url }, response) => {
    if (url === '/kill' || url === '/spare') kill(url === '/kill');
    beat();
    response.end(JSON.stringify({ wallMs, busyMs }));
    wallMs = 0;
    busyMs = 0;
  });
  server.listen(port, '127.0.0.1').unref();
};

const port = process.env['STALL_PROBE_PORT'];
if (isMainThread && port !== undefined) startProbe(Number(port));
