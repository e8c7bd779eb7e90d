import { type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { REQUEST_ID_HEADER, RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';
import { closeCode, messageSocket, type MessageSocket } from '#core/outbound/message-socket.ts';
import { RoomShare } from '#core/limits/shared-room.ts';
import type { Relay } from '../../relay/ports.ts';
import type { RealtimeCall, ResponsesCall } from '../../relay/calls.ts';
import { countArriving } from '../bodies/arriving.ts';
import { hangUp } from './broken-requests.ts';
import type { Arrival } from './front-door-deps.ts';
import { queryKey } from '../calls/front-call.ts';
import type { RelayBodies } from '../bodies/relay-body.ts';
import { withWholeFrames } from '../bodies/whole-frames.ts';

const REALTIME_PATH = '/v1/realtime';
const RESPONSES_PATH = '/v1/responses';
const REALTIME_MESSAGE_MAX_BYTES = 16 * 1024 * 1024;
/** Browsers cannot set headers on a WebSocket, so they put the key among the protocols they offer. */
const KEY_PROTOCOL = /(?:^|,)\s*openai-insecure-api-key\.([^\s,]+)/g;
const KEY_PREFIX = 'openai-insecure-api-key.';

/** A larger message closes the connection with 1009. */
const serverOf = (
  maxPayload: number,
  handleProtocols: (offered: Set<string>) => string | false,
): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    maxPayload,
    perMessageDeflate: false,
    // One message at a time, so that many small ones do not delay other calls.
    allowSynchronousEvents: false,
    autoPong: false,
    handleProtocols,
  });

/** One request to open a WebSocket. */
interface Asking {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly arrival: Arrival;
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  readonly query: string;
  readonly refuse: RealtimeCall['refuse'];
}

type SocketDeps = {
  readonly relay: Pick<Relay, 'realtime' | 'responses'>;
  readonly bodies: RelayBodies;
  readonly arrivalOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Arrival;
};

/** Answers WebSocket upgrade requests: realtime calls, and connections for Responses calls. */
export const createSocketDoor = (
  deps: SocketDeps,
): ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) => {
  const serveRealtime = deps.relay.realtime && realtimeAt(deps.relay.realtime, deps);
  const serveResponses = deps.relay.responses && responsesAt(deps.relay.responses, deps);
  return (request, socket, head) => {
    const arrival = deps.arrivalOf(request);
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    socket.on('error', () => socket.destroy());
    const refuse: RealtimeCall['refuse'] = (status, body, more) =>
      refuseWith(socket, arrival.requestId, { status, body, more });
    const refuseRequest = (status: number, message: string): void =>
      refuse(status, { error: { message, type: 'invalid_request_error' } }, { 'x-should-retry': 'false' });
    const serve =
      path === REALTIME_PATH ? serveRealtime : path === RESPONSES_PATH ? serveResponses : undefined;
    if (serve === undefined) {
      refuseRequest(404, `Invalid URL (GET ${path})`);
      return;
    }
    const headers = withKey(request);
    if (headers === undefined) {
      refuseRequest(400, 'two different keys: one among the protocols, another beside it');
      return;
    }
    serve({ request, socket, head, arrival, headers, path, query, refuse });
  };
};

const realtimeAt = (
  serve: NonNullable<Relay['realtime']>,
  deps: Pick<SocketDeps, 'bodies'>,
): ((asking: Asking) => void) => {
  const sockets = serverOf(REALTIME_MESSAGE_MAX_BYTES, (offered) =>
    offered.has('realtime') ? 'realtime' : false,
  );
  return (asking) => {
    const { arrival, headers, query, socket } = asking;
    const leaving = new AbortController();
    socket.once('close', () => leaving.abort());
    const parameters = new URLSearchParams(query);
    void serve({
      headers,
      queryKey: queryKey(query),
      model: parameters.get('model') ?? parameters.get('deployment') ?? '',
      requestId: arrival.requestId,
      ip: arrival.ip,
      signal: leaving.signal,
      accept: acceptOn(sockets, asking, deps),
      refuse: asking.refuse,
    } satisfies RealtimeCall);
  };
};

/** Calls on such a connection count as HTTP calls, but the headers of the connection do not describe their bodies. */
const callHeaders = (headers: IncomingMessage['headers']): IncomingMessage['headers'] => {
  const own: IncomingMessage['headers'] = {};
  for (const [name, value] of Object.entries(headers)) if (!OF_CONNECTION.test(name)) own[name] = value;
  return { ...own, 'content-type': 'application/json' };
};

const OF_CONNECTION = /^(?:sec-websocket-.*|upgrade|connection|content-.*|transfer-encoding|openai-beta)$/;

const responsesAt = (
  serve: NonNullable<Relay['responses']>,
  { bodies, arrivalOf }: SocketDeps,
): ((asking: Asking) => void) => {
  // Browsers expect one of the protocols they offered.
  const sockets = serverOf(
    RELAY_BODY_MAX_BYTES,
    (offered) => [...offered].find((protocol) => !protocol.startsWith(KEY_PREFIX)) ?? false,
  );
  return (asking) => {
    const { request, arrival, headers, path, query } = asking;
    const roomFor = (userId: number): RoomShare => new RoomShare(bodies.memory, userId, arrival.addressKey);
    const accept = acceptOn(sockets, asking, { bodies });
    void serve({
      common: {
        operation: 'chat',
        dialect: 'openai-responses',
        headers: callHeaders(headers),
        queryKey: queryKey(query),
        pathModel: undefined,
        pathStream: undefined,
        framing: 'events',
        playground: false,
        requestId: arrival.requestId,
        ip: arrival.ip,
        path,
        readForm: () => Promise.reject(new AppError('invalid_request', 'a form cannot be sent here')),
      },
      address: arrival.addressKey,
      nextRequestId: () => arrivalOf(request).requestId,
      roomFor,
      accept: (userId) => {
        arrival.visitor.isKnown = true;
        return accept(userId);
      },
      refuse: asking.refuse,
    } satisfies ResponsesCall);
  };
};

interface Refusal {
  readonly status: number;
  readonly body: unknown;
  readonly more: Readonly<Record<string, string>>;
}

/**
 * The headers with the key from the offered protocols, or unchanged if they offer none; undefined if a different key is
 * sent as well.
 */
const withKey = ({ headers }: IncomingMessage): IncomingMessage['headers'] | undefined => {
  const offered = headers['sec-websocket-protocol'] ?? '';
  const bearers = [...offered.matchAll(KEY_PROTOCOL)].map(([, key = '']) => `Bearer ${key}`);
  const [authorization] = bearers;
  if (authorization === undefined) return headers;
  const all = [...bearers, ...(headers.authorization === undefined ? [] : [headers.authorization])];
  return new Set(all).size === 1 ? { ...headers, authorization } : undefined;
};

/** Counts what the connection sends from the first byte of each message. */
const acceptOn =
  (
    sockets: WebSocketServer,
    asking: Asking,
    { bodies }: Pick<SocketDeps, 'bodies'>,
  ): RealtimeCall['accept'] =>
  async (userId): Promise<MessageSocket | undefined> => {
    const raw = await accepted(sockets, asking);
    if (raw === undefined) return undefined;
    const { socket, arrival } = asking;
    const frames = withWholeFrames(socket, sockets.options.maxPayload ?? 0);
    const close = countArriving(socket, raw, new RoomShare(bodies.memory, userId, arrival.addressKey));
    arrival.visitor.messages = {
      get arriving() {
        return frames.arriving;
      },
      late: () => close(closeCode.policy, 'the message took too long to arrive'),
    };
    return messageSocket(raw);
  };

/** Messages wait until somebody listens; undefined if the caller has gone. */
const accepted = (
  sockets: WebSocketServer,
  { request, socket, head }: Pick<Asking, 'request' | 'socket' | 'head'>,
): Promise<WebSocket | undefined> =>
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
      resolve(raw);
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
  hangUp(socket);
};
