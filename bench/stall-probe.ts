/**
 * Loaded into the measured server with `--import`: the longest time its event loop was held, told and forgotten at every
 * request to a port of its own. The server's code knows nothing of it.
 */
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const HEARTBEAT_MS = 1;

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
  const server = createServer((_, response) => {
    beat();
    response.end(JSON.stringify({ wallMs, busyMs }));
    wallMs = 0;
    busyMs = 0;
  });
  server.listen(port, '127.0.0.1').unref();
};

const port = process.env['STALL_PROBE_PORT'];
if (isMainThread && port !== undefined) startProbe(Number(port));
