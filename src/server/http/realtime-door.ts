import { type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import { messageSocket, type MessageSocket } from '#core/message-socket.ts';
import type { RealtimeCall, Relay } from '../relay/ports.ts';
import type { Arrival } from './front-door-deps.ts';
import { queryKey } from './front-call.ts';

const PATH = '/v1/realtime';
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Where a browser, which cannot set headers, puts its key: among the protocols it offers. */
const KEY_PROTOCOL = /(?:^|,)\s*openai-insecure-api-key\.([^\s,]+)/;

/** Answers requests to become a WebSocket: realtime calls, and nothing else. */
export const createRealtimeDoor = (
  serve: Relay['realtime'],
  arrivalOf: (request: IncomingMessage) => Arrival,
): ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) => {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
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
    if (path !== PATH || serve === undefined) {
      const error = { message: `Invalid URL (GET ${path})`, type: 'invalid_request_error' };
      refuse(404, { error }, { 'x-should-retry': 'false' });
      return;
    }
    const parameters = new URLSearchParams(query);
    void serve({
      headers: withKey(request),
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

const withKey = ({ headers }: IncomingMessage): IncomingMessage['headers'] => {
  const key = KEY_PROTOCOL.exec(headers['sec-websocket-protocol'] ?? '')?.[1];
  return key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` };
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
