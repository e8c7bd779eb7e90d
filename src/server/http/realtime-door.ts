import { type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import { messageSocket, type MessageSocket } from '#core/message-socket.ts';
import type { Relay } from '../relay/ports.ts';
import type { RealtimeCall } from '../relay/calls.ts';
import type { Arrival } from './front-door-deps.ts';
import { queryKey } from './front-call.ts';

const PATH = '/v1/realtime';
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Browsers cannot set headers on a WebSocket, so they put the key among the protocols they offer. */
const KEY_PROTOCOL = /(?:^|,)\s*openai-insecure-api-key\.([^\s,]+)/g;

/** Answers WebSocket upgrade requests: realtime calls, and nothing else. */
export const createRealtimeDoor = (
  serve: Relay['realtime'],
  arrivalOf: (request: IncomingMessage) => Arrival,
): ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) => {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    // One message at a time, so that many small ones do not keep others waiting.
    allowSynchronousEvents: false,
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });
  return (request, socket, head) => {
    const { requestId, ip } = arrivalOf(request);
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    socket.on('error', () => socket.destroy());
    const leaving = new AbortController();
    socket.once('close', () => leaving.abort());
    const refuse = (status: number, body: unknown, more: Readonly<Record<string, string>>): void =>
      refuseWith(socket, requestId, { status, body, more });
    const refuseRequest = (status: number, message: string): void =>
      refuse(status, { error: { message, type: 'invalid_request_error' } }, { 'x-should-retry': 'false' });
    if (path !== PATH || serve === undefined) {
      refuseRequest(404, `Invalid URL (GET ${path})`);
      return;
    }
    const headers = withKey(request);
    if (headers === undefined) {
      refuseRequest(400, 'two different keys: one among the protocols, another beside it');
      return;
    }
    const parameters = new URLSearchParams(query);
    void serve({
      headers,
      queryKey: queryKey(query),
      model: parameters.get('model') ?? parameters.get('deployment') ?? '',
      requestId,
      ip,
      signal: leaving.signal,
      accept: () => accepted(sockets, request, socket, head),
      refuse,
    } satisfies RealtimeCall);
  };
};

interface Refusal {
  readonly status: number;
  readonly body: unknown;
  readonly more: Readonly<Record<string, string>>;
}

/** The headers with the key that stands among the protocols; undefined where another key is sent as well. */
const withKey = ({ headers }: IncomingMessage): IncomingMessage['headers'] | undefined => {
  const offered = headers['sec-websocket-protocol'] ?? '';
  const bearers = [...offered.matchAll(KEY_PROTOCOL)].map(([, key = '']) => `Bearer ${key}`);
  const [authorization] = bearers;
  if (authorization === undefined) return headers;
  const all = [...bearers, ...(headers.authorization === undefined ? [] : [headers.authorization])];
  return new Set(all).size === 1 ? { ...headers, authorization } : undefined;
};

const accepted = (
  sockets: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<MessageSocket | undefined> =>
  new Promise((resolve) => {
    if (socket.destroyed) {
      resolve(undefined);
      return;
    }
    const gone = (): void => resolve(undefined);
    socket.once('close', gone);
    sockets.handleUpgrade(request, socket, head, (raw) => {
      socket.off('close', gone);
      raw.pause();
      resolve(messageSocket(raw));
    });
  });

const refuseWith = (socket: Duplex, requestId: string, { status, body, more }: Refusal): void => {
  if (socket.destroyed) return;
  const text = JSON.stringify(body);
  const headers: OutgoingHttpHeaders = {
    [REQUEST_ID_HEADER]: requestId,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
};
