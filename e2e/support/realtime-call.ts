import { createServer } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { addressOf, listening } from '../../src/server/outbound/testing/local-server.ts';

interface RealtimeEvent {
  readonly type: string;
  /** What the upstream heard, where it tells. */
  readonly what?: string;
  readonly error?: { readonly code: string; readonly type: string; readonly event_id?: string };
}

/** A caller's end of a conversation. */
export interface RealtimeCall {
  readonly socket: WebSocket;
  /** What was heard so far. */
  readonly events: RealtimeEvent[];
  say(message: object): void;
  /** Waits until so many events of this type were heard. */
  said(type: string, times?: number): Promise<void>;
  /** Code and reason of the end. */
  readonly closed: Promise<readonly [number, string]>;
}

interface Door {
  readonly url: string;
  readonly key: string;
}

interface Ways {
  readonly model?: string;
  readonly protocols?: string[];
  /** Empty for none in a header. */
  readonly key?: string;
}

/** Asks for a conversation, and does not wait for it. */
export const asking = (
  rig: Door,
  { model = 'talk', protocols = ['realtime'], key = rig.key }: Ways = {},
): WebSocket =>
  new WebSocket(`${rig.url.replace('http', 'ws')}/v1/realtime?model=${model}`, protocols, {
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
  });

/** Opens a conversation; throws the status of a refusal. */
export const dial = async (rig: Door, ways: Ways = {}): Promise<RealtimeCall> => {
  const socket = asking(rig, ways);
  const events: RealtimeEvent[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) events.push(JSON.parse(data.toString()) as RealtimeEvent);
  });
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.once('close', (code, reason) => resolve([code, reason.toString()]));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_, { statusCode }) => reject(new Error(`status ${statusCode}`)));
  });
  return {
    socket,
    events,
    say: (message) => socket.send(JSON.stringify(message)),
    said: (type, times = 1) =>
      expect.poll(() => events.filter((event) => event.type === type).length).toBeGreaterThanOrEqual(times),
    closed,
  };
};

/**
 * Starts an upstream, for this test, that takes conversations and does `then`, or answers `refusal` where one should open.
 * @returns its address
 */
export const upstreamThat = async (then: (socket: WebSocket) => void, refusal?: string): Promise<string> => {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'realtime' });
  server.on('upgrade', (request, socket, head) => {
    if (refusal === undefined) sockets.handleUpgrade(request, socket, head, then);
    else socket.end(refusal);
  });
  await listening(server);
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return addressOf(server);
};
