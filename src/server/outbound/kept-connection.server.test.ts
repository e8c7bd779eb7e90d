import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '#core/error.ts';
import type { OutboundRequest, Sender } from '#core/outbound/outbound.ts';
import { hangUp, listening } from './testing/local-server.ts';
import { createSender } from './send.ts';
import { systemClock } from '../system.ts';

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
  const sender = createSender({ clock: systemClock, allowAddress: () => true });
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

describe('a kept connection that the upstream closes as the next call comes', () => {
  /** An upstream that answers the first call of a connection, and the next with `later`, after which it hangs up. */
  const calling = async (later: string, request: Partial<OutboundRequest>): Promise<readonly string[]> => {
    const asked: number[] = [];
    const server = createNetServer((socket) => {
      const at = asked.push(0) - 1;
      socket.on('data', () => {
        asked[at] = (asked[at] ?? 0) + 1;
        if (asked[at] === 1 && later !== 'never')
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx');
        else socket.end(later === 'never' ? '' : later);
      });
      socket.on('error', () => undefined);
    });
    await listening(server);
    const { port } = server.address() as AddressInfo;
    const sender = createSender({ clock: systemClock, allowAddress: () => true });
    const call = () =>
      sender
        .send({ method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body: 'hello', ...request })
        .then(async ({ body }) => (await Array.fromAsync(body)).join(''))
        .catch((error: unknown) => (error instanceof AppError ? error.code : String(error)));
    const told = [await call(), await call(), asked.join(' and ')];
    await sender.close();
    server.close();
    return told;
  };

  test.each<[string, string, Partial<OutboundRequest>, readonly string[]]>([
    ['is replaced, if the call may be made twice', '', { mayRepeat: true }, ['x', 'x', '2 and 1']],
    ['is replaced for a GET', '', { method: 'GET' }, ['x', 'x', '2 and 1']],
    ['fails the call, if that may not be made twice', '', {}, ['x', 'upstream_failed', '2']],
    ['fails it, if an answer has begun', 'H', { mayRepeat: true }, ['x', 'upstream_failed', '2']],
    [
      'fails it, if it is a new one',
      'never',
      { mayRepeat: true },
      ['upstream_failed', 'upstream_failed', '1 and 1'],
    ],
  ])('%s', async (_, later, request, told) => {
    expect(await calling(later, request)).toEqual(told);
  });
});

test.each([
  ['may be made twice', true, '', 1],
  ['may not', false, '', 2],
  ['may not, where the upstream says for how long it waits', false, 'keep-alive: timeout=5\r\n', 1],
])(
  'a connection that was idle for three seconds is used by a call that %s',
  async (_, mayRepeat, told, used) => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let connections = 0;
    const server = createNetServer((socket) => {
      connections += 1;
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\n${told}content-length: 1\r\n\r\nx`));
      socket.on('error', () => undefined);
    });
    await listening(server);
    const { port } = server.address() as AddressInfo;
    const sender = createSender({ clock: systemClock, allowAddress: () => true });
    const url = `http://127.0.0.1:${port}/`;
    for (let at = 0; at < 2; at += 1) {
      const { body } = await sender.send({ method: 'POST', url, headers: {}, body: 'hello', mayRepeat });
      expect(String(await Array.fromAsync(body))).toBe('x');
      vi.advanceTimersByTime(3000);
    }
    expect(connections).toBe(used);
    await sender.close();
    server.close();
  },
);

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
    const sender: Sender = createSender({ clock: systemClock, allowAddress: () => true });
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
