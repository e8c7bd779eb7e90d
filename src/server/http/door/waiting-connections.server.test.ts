import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openDoor, postOf } from '../testing/open-door.ts';

const SOMAXCONN = '/proc/sys/net/core/somaxconn';
/** Node's default backlog is 511. */
const MOST_CONNECTIONS = 3000;

/** How many the kernel lets wait at one door. */
const kernelAllows = (): number => {
  try {
    return Number(readFileSync(SOMAXCONN, 'utf8'));
  } catch {
    return 0;
  }
};

const connections = Math.min(MOST_CONNECTIONS, kernelAllows());

/** What callers do, in a thread that goes on while this one stands still. */
const CALLERS = `
const { connect } = require('node:net');
const { parentPort, workerData: { port, connections, request, connected } } = require('node:worker_threads');
let ended = 0, answered = 0;
const end = () => {
  ended += 1;
  if (ended === connections) parentPort.postMessage(answered);
};
for (let at = 0; at < connections; at += 1) {
  const socket = connect({ port, host: '127.0.0.1' }, () => {
    Atomics.add(connected, 0, 1);
    Atomics.notify(connected, 0);
    socket.write(request);
  });
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes.toString('latin1');
    if (!heard.endsWith('"here"')) return;
    answered += 1;
    socket.destroy();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', end);
}
`;

/** Keeps this thread from doing anything until so many are connected, or for so long. */
const standStill = (connected: Int32Array, mostMs: number): void => {
  const untilMs = performance.now() + mostMs;
  for (let now = 0; (now = Atomics.load(connected, 0)) < connections;) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return;
    Atomics.wait(connected, 0, now, leftMs);
  }
};

test.skipIf(connections <= 511)(
  'a burst of connections during a stall of the process is accepted and answered in full',
  async () => {
    const answer = Buffer.from('"here"');
    const door = await openDoor(
      async (call) => {
        await call.readBody(1);
        call.reply.start(200, { 'content-length': String(answer.length) });
        call.reply.end(answer);
      },
      { connectionsPerAddress: connections, tickMs: 2000 },
    );
    const connected = new Int32Array(new SharedArrayBuffer(4));
    const callers = new Worker(CALLERS, {
      eval: true,
      workerData: { port: door.port, connections, request: postOf('x'), connected },
    });
    const answered = once(callers, 'message');
    try {
      // Whom the kernel has no room for tries again after a second, then after three.
      standStill(connected, 30_000);
      expect(Atomics.load(connected, 0)).toBe(connections);
      expect(await answered).toEqual([connections]);
    } finally {
      await callers.terminate();
      await door.stop();
    }
  },
);
