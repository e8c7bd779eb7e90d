import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createListener, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import type { Clock } from '#core/clock.ts';
import { createArrivals } from './arrivals.ts';
import { trustedBy } from './client-address.ts';
import { Connections, type Visitor } from './connections.ts';
import type { Arrival, FrontDoor, FrontDoorDeps, Handler } from './front-door-deps.ts';
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
/** Requests of one connection that wait for their answers. Clients send one; node reads all that fit in what has come. */
const ASKED_AHEAD_MAX = 16;
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

/** Nothing but `100-continue` can be expected of us. */
const refuseExpectation =
  (nextId: () => string) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader(REQUEST_ID_HEADER, nextId());
    sendJson(response, 417, { success: false, message: 'the expectation cannot be met', data: null });
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

/** Its address has as many connections as it may: told if it can be done at once, and closed. */
const turnOff = (nextId: () => string, socket: Socket): void => {
  socket.on('error', () => socket.destroy());
  turnAway(nextId, socket, '429 Too Many Requests');
  socket.destroySoon();
};

/** What node leaves open when an answer is over: the rest of a body that nobody reads, and how long to wait for more. */
const whenAnswered = (
  visitor: Visitor | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  clock: Pick<Clock, 'monotonic'>,
): void => {
  // Node's parser drops what comes behind a request that offers another protocol.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  response.once('finish', () => {
    if (visitor === undefined) return;
    if (!request.complete) visitor.dropRest(clock.monotonic(), () => request.complete);
    else if (!visitor.isKnown && response.shouldKeepAlive) request.socket.setTimeout(visitor.idleMs);
  });
};

/** Sends each request of node's server where its path belongs. */
const createDispatch = (deps: FrontDoorDeps, bodies: RelayBodies, isStopping: () => boolean): Handler => {
  const relayRoutes = createRelayRoutes(deps.relay, bodies);
  const taskRoutes = deps.tasks && createTaskRoutes(deps.tasks, bodies);
  const probes = createProbes(deps, isStopping);
  return (request, response, arrival) => {
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
};

const connectionsOf = ({
  clock,
  connectionsPerAddress,
  trustedProxies,
  tickMs,
}: FrontDoorDeps): Connections => {
  const limits = { perAddress: connectionsPerAddress, isTrusted: trustedBy(trustedProxies) };
  return new Connections(clock, limits, tickMs);
};

/** Counts the request until its answer is out. */
const isTooManyAhead = (visitor: Visitor, response: ServerResponse): boolean => {
  if (visitor.unanswered === ASKED_AHEAD_MAX) return true;
  visitor.unanswered += 1;
  response.once('close', () => (visitor.unanswered -= 1));
  return false;
};

/** Node's server, for what the lane does not take. */
const nodeServer = (
  connections: Connections,
  clock: Pick<Clock, 'monotonic'>,
  nextId: () => string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): HttpServer => {
  const received =
    (serve: typeof answer) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      const { socket } = request;
      // The rest of what came with a request that was too many.
      if (socket.destroyed) return;
      const visitor = connections.of(socket);
      if (visitor !== undefined && isTooManyAhead(visitor, response)) {
        socket.destroy();
        return;
      }
      whenAnswered(visitor, request, response, clock);
      serve(request, response);
    };
  const server = createServer(HARDENING, received(answer));
  server.on('checkExpectation', received(refuseExpectation(nextId)));
  server.on('clientError', refuseBroken(nextId));
  // It never listens itself; this is where it begins to look after the times of its connections.
  server.emit('listening');
  return server;
};

/** The server: what is odd is refused, every request gets an id, and goes to the relay, the API or the console. */
export const createFrontDoor = (deps: FrontDoorDeps): FrontDoor => {
  let isStopping = false;
  const nextId = createRequestIds(deps.clock, deps.random);
  const connections = connectionsOf(deps);
  const arrivalOf = createArrivals(deps, connections, nextId);
  const bodies = deps.bodies ?? new RelayBodies();
  const dispatch = createDispatch(deps, bodies, () => isStopping);
  const server = nodeServer(connections, deps.clock, nextId, (request, response) => {
    if (isStopping) response.setHeader('Connection', 'close');
    const arrival = arrivalOf(request);
    const odd = oddity(request);
    if (odd === undefined) dispatch(request, response, arrival);
    else refuseOdd(response, arrival, odd);
  });
  server.on('upgrade', createRealtimeDoor(deps.relay.realtime, arrivalOf));

  const laneDeps = {
    relay: deps.relay,
    bodies,
    arrivalOf,
    turnAway: (socket: Socket, status: string) => turnAway(nextId, socket, status),
    isStopping: () => isStopping,
    handOver(socket: Socket, bytes: Buffer) {
      server.emit('connection', socket);
      socket.unshift(bytes);
    },
  };
  const lane = new Lane(deps.clock, laneDeps, deps.tickMs);
  const listener = createListener({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const visitor = connections.admit(socket);
    if (visitor === undefined) turnOff(nextId, socket);
    else lane.take(visitor);
  });
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
      connections.close();
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
