import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { addressOf, listening } from './testing/local-server.ts';
import { readUpstreamError } from '../dialects/openai/error.ts';
import { createSocketConnector } from './connect-socket.ts';

const connect = createSocketConnector({
  allowAddress: () => true,
  readRefusal: readUpstreamError,
  connectTimeoutMs: 400,
});

/** Opens a WebSocket to a server that treats connections in this way. */
const opened = async (serve: (socket: Socket) => void): Promise<unknown> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  await listening(server);
  const url = `${addressOf(server)}/`;
  try {
    return await connect({ url, headers: {} }, new AbortController().signal).catch(
      (thrown: unknown) => thrown,
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
};

const dripping =
  (start: string, again: string) =>
  (socket: Socket): void => {
    socket.write(start);
    const timer = setInterval(() => socket.write(again), 20);
    socket.once('close', () => clearInterval(timer));
  };

test.each([
  ['says nothing', () => undefined],
  ['sends its head by the byte', dripping('HTTP/1.1 101 Switching Protocols\r\nx-slow: ', 'a')],
  [
    'sends one interim answer after the other',
    dripping('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  ],
])('an upstream that %s where a socket should open is given up in time', async (_, serve) => {
  expect(await opened(serve)).toMatchObject({
    code: 'upstream_timeout',
    message: 'the upstream could not be reached within 0.4 s',
  });
});
