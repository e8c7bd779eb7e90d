import { connect, type Socket } from 'node:net';
import type { Relay } from '../../relay/ports.ts';
import type { RelayCall } from '../../relay/calls.ts';
import { createFrontDoor } from '../door/front-door.ts';
import type { FrontDoorDeps, Handler } from '../door/front-door-deps.ts';

const nobody: Handler = (_, response) => void response.writeHead(404).end();

/** A relay that only serves calls, by `serve`. */
export const relayOf = (serve: (call: RelayCall) => Promise<void>): Relay => ({
  serve,
  read: async ({ what }) => ({ status: 200, body: { what } }),
  kept: () => Promise.resolve(),
  conversation: () => Promise.resolve(),
  count: async () => ({ status: 200, body: {} }),
  invalidateToken: () => undefined,
  invalidateUser: () => undefined,
  stop: async () => undefined,
});

/** A front door for such a relay, on a port of its own, with a clock that only moves when told to. */
export const openDoor = async (
  serve: (call: RelayCall) => Promise<void>,
  deps: Partial<FrontDoorDeps> = {},
) => {
  let nowMs = 1_000_000;
  const door = createFrontDoor({
    relay: relayOf(serve),
    site: () => nobody,
    clock: { now: () => 1_795_262_018_345, monotonic: () => nowMs },
    random: { unit: () => 0.5, alphanumeric: (length) => 'a'.repeat(length) },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    trustedProxies: [],
    connectionsPerAddress: 1000,
    tickMs: 5,
    ...deps,
  });
  const port = await door.listen(0, '127.0.0.1');
  return {
    port,
    stop: (graceMs = 0) => door.stop(graceMs),
    /** Moves the clock. */
    pass: (ms: number): void => void (nowMs += ms),
    connect: (localAddress = '127.0.0.1'): Promise<Visit> => visit(port, localAddress),
  };
};

/** A connection to the door as a test sees it. */
export interface Visit {
  readonly socket: Socket;
  /** What was received so far. */
  heard(): string;
  readonly isClosed: () => boolean;
}

const visit = async (port: number, localAddress: string): Promise<Visit> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  let heard = '';
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  socket.on('end', () => (isClosed = true));
  socket.on('data', (bytes) => (heard += bytes.toString('latin1')));
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', () => resolve());
  });
  socket.setNoDelay(true);
  return { socket, heard: () => heard, isClosed: () => isClosed };
};

export const postOf = (body: string, more = '', path = '/v1/chat/completions'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${String(body.length)}\r\n\r\n${body}`;
