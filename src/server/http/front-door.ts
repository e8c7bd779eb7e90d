import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createListener, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import { type ClientAddress, createClientAddress } from './client-address.ts';
import type { Arrival, FrontDoor, FrontDoorDeps } from './front-door-deps.ts';
import { Lane } from './lane/lane.ts';
import { createProbes } from './probes.ts';
import { createRealtimeDoor } from './realtime-door.ts';
import { RelayBodies } from './relay-body.ts';
import { isRelayPath } from './relay-paths.ts';
import { createRelayRoutes } from './relay-routes.ts';
import { createRequestIds } from './request-id.ts';
import { sendJson } from './send-json.ts';
import { createTaskRoutes, isTaskPath } from './task-routes.ts';

const MAX_CONNECTIONS = 10_000;
const HEADERS_MAX = 100;
/** After running calls have ended, connections get this long to send what is still in them. */
const FLUSH_MS = 500;

const HARDENING = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 75_000,
  requireHostHeader: true,
  // Java's client offers HTTP/2 (`Upgrade: h2c`) with every call: what is no WebSocket is a call like any other.
  shouldUpgradeCallback: ({ method, headers }: IncomingMessage): boolean =>
    method === 'GET' && /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? ''),
} as const;

/** Node accepts these and they make no sense: more than one Host, targets that are no path, hundreds of headers. */
const oddity = ({ rawHeaders, url = '' }: IncomingMessage): string | undefined => {
  if (url.charCodeAt(0) !== 0x2f) return 'the target must be a path';
  if (rawHeaders.length > HEADERS_MAX * 2) return 'too many headers';
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 ? undefined : 'exactly one Host header is needed';
};

const refuseOdd = (response: ServerResponse, arrival: Arrival, odd: string): void => {
  response.setHeader(REQUEST_ID_HEADER, arrival.requestId);
  response.setHeader('Connection', 'close');
  sendJson(response, 400, { success: false, message: odd, data: null });
};

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

/** Says who calls, and gives the request its id. */
const createArrivals = (deps: Pick<FrontDoorDeps, 'trustedProxies'>, nextId: () => string) => {
  const addressOf = createClientAddress(deps.trustedProxies);
  const direct = new WeakMap<Socket, ClientAddress>();
  return ({
    headers,
    socket,
  }: {
    readonly headers: IncomingHttpHeaders;
    readonly socket: Socket;
  }): Arrival => {
    const forwardedFor = single(headers['x-forwarded-for']);
    const forwardedProto = single(headers['x-forwarded-proto']);
    const isDirect = forwardedFor === undefined && forwardedProto === undefined;
    // Nothing that varies was sent: the same socket is the same caller.
    let address = isDirect ? direct.get(socket) : undefined;
    if (address === undefined) {
      address = addressOf({ remoteAddress: socket.remoteAddress, forwardedFor, forwardedProto });
      if (isDirect) direct.set(socket, address);
    }
    return { requestId: nextId(), ip: address.ip, secure: address.secure };
  };
};

/** Answers what never became a request, with an id as everything else. */
const refuseBroken =
  (nextId: () => string) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const statuses: Readonly<Record<string, string>> = {
      HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
      ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
    };
    turnAway(nextId, socket, statuses[error.code ?? ''] ?? '400 Bad Request');
  };

const turnAway = (nextId: () => string, socket: Duplex, status: string): void => {
  const id = `${REQUEST_ID_HEADER}: ${nextId()}`;
  socket.end(`HTTP/1.1 ${status}\r\n${id}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

/** The server: what is odd is refused, every request gets an id, and goes to the relay, the API or the console. */
export const createFrontDoor = (deps: FrontDoorDeps): FrontDoor => {
  let isStopping = false;
  const nextId = createRequestIds(deps.clock, deps.random);
  const arrivalOf = createArrivals(deps, nextId);
  const bodies = new RelayBodies();
  const relayRoutes = createRelayRoutes(deps.relay, bodies);
  const taskRoutes = deps.tasks && createTaskRoutes(deps.tasks, bodies);
  const probes = createProbes(deps, () => isStopping);

  const dispatch = (request: IncomingMessage, response: ServerResponse, arrival: Arrival): void => {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    // The relay writes its head in one go; everybody else adds to what is set here.
    const routes = isRelayPath(path) ? relayRoutes : isTaskPath(path) ? taskRoutes : undefined;
    if (routes !== undefined) {
      routes(request, response, arrival, path, mark === -1 ? '' : url.slice(mark + 1));
      return;
    }
    response.setHeader(REQUEST_ID_HEADER, arrival.requestId);
    const isApi = path === '/api' || path.startsWith('/api/');
    const answer = probes.get(path) ?? (isApi ? deps.api : deps.console);
    answer(request, response, arrival);
  };

  const server = createServer(HARDENING, (request, response) => {
    const arrival = arrivalOf(request);
    if (isStopping) response.setHeader('Connection', 'close');
    const odd = oddity(request);
    if (odd === undefined) dispatch(request, response, arrival);
    else refuseOdd(response, arrival, odd);
  });
  server.on('clientError', refuseBroken(nextId));
  server.on('upgrade', createRealtimeDoor(deps.relay.realtime, arrivalOf));
  // It never listens itself; this is where it begins to look after the times of its connections.
  server.emit('listening');

  const lane = new Lane(deps.clock, {
    relay: deps.relay,
    bodies,
    arrivalOf,
    turnAway: (socket, status) => turnAway(nextId, socket, status),
    isStopping: () => isStopping,
    handOver(socket, bytes) {
      server.emit('connection', socket);
      socket.unshift(bytes);
    },
  });
  const listener = createListener({ allowHalfOpen: true, noDelay: true }, (socket) => lane.take(socket));
  listener.maxConnections = deps.maxConnections ?? MAX_CONNECTIONS;

  return {
    listen: (port, host) => listening(listener, port, host),
    async stop(graceMs) {
      isStopping = true;
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      server.close();
      lane.closeIdle();
      await deps.relay.stop(graceMs);
      server.closeIdleConnections();
      lane.closeIdle();
      const flushed = setTimeout(() => {
        server.closeAllConnections();
        lane.closeAll();
      }, FLUSH_MS);
      await closed;
      clearTimeout(flushed);
      lane.closeAll();
    },
  };
};

const listening = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
