import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import type { Sender } from '#core/outbound/outbound.ts';
import { hangUp, listening } from './testing/local-server.ts';
import { createSender } from './send.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a kept connection holds no reference to the calls it carried, not even to the first', async () => {
  const connections = new Set<unknown>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    connections.add(request.socket);
    request.resume();
    request.on('end', () => response.end('x'));
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  const sender = createSender({ allowAddress: () => true });
  const gone = new Set<string>();
  const registry = new FinalizationRegistry<string>((name) => gone.add(name));
  const call = async (name: string): Promise<void> => {
    const body = Buffer.alloc(100_000);
    registry.register(body, name);
    const reply = await sender.send({ method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body });
    for await (const piece of reply.body) expect(piece.toString()).toBe('x');
  };
  for (const name of ['first', 'second', 'third']) await call(name);
  const collected = (): string[] => {
    collectGarbage();
    return [...gone].toSorted();
  };
  await expect.poll(collected).toEqual(['first', 'second', 'third']);
  expect(connections.size).toBe(1);
  await sender.close();
  hangUp(server);
});

/** An upstream in another thread: it closes a connection two seconds after its answer, as it says. */
const UPSTREAM = `
  const { parentPort, workerData: closed } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    let timer;
    socket.on('error', () => {});
    socket.on('data', () => {
      clearTimeout(timer);
      socket.write('HTTP/1.1 200 OK\\r\\nkeep-alive: timeout=2\\r\\ncontent-length: 1\\r\\n\\r\\nx');
      timer = setTimeout(() => {
        socket.destroy();
        Atomics.add(closed, 0, 1);
        Atomics.notify(closed, 0);
      }, 2000);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('a stall of this process, in which the upstream closes an idle connection,', () => {
  const useUpstream = async (use: (call: () => Promise<string>, stall: () => void) => Promise<void>) => {
    const closed = new Int32Array(new SharedArrayBuffer(4));
    const upstream = new Worker(UPSTREAM, { eval: true, workerData: closed });
    const port = await new Promise<number>((resolve) => upstream.once('message', resolve));
    const sender: Sender = createSender({ allowAddress: () => true });
    const call = async (): Promise<string> => {
      const url = `http://127.0.0.1:${port}/`;
      const reply = await sender.send({ method: 'POST', url, headers: {}, body: 'hello' });
      let text = '';
      for await (const piece of reply.body) text += piece.toString();
      return text;
    };
    try {
      // Nothing is read and no timer runs until the upstream has closed the connection.
      await use(call, () => void Atomics.wait(closed, 0, 0));
    } finally {
      await sender.close();
      await upstream.terminate();
    }
  };

  test('does not send the next call into it', () =>
    useUpstream(async (call, stall) => {
      expect(await call()).toBe('x');
      stall();
      expect(await call()).toBe('x');
    }));

  test('does not send the next call into it either when the answer before came in the same stall', () =>
    useUpstream(async (call, stall) => {
      expect(await call()).toBe('x');
      const second = call();
      stall();
      expect(await second).toBe('x');
      expect(await call()).toBe('x');
    }));
});
