import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createListener, type Server, type Socket } from 'node:net';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import type { Clock } from '#core/clock.ts';
import { readAbsoluteTarget, type RefusedTarget } from './absolute-target.ts';
import { createArrivals } from './arrivals.ts';
import {
  hadLastAnswer,
  hangUp,
  refuseBroken,
  turnAway,
  wasAnsweredEarly,
  whenItsTurn,
} from './broken-requests.ts';
import { trustedBy } from './client-address.ts';
import { Connections, type Refused, UNREAD_MAX_BYTES } from './connections.ts';
import type { Arrival, FrontDoor, FrontDoorDeps, Handler } from './front-door-deps.ts';
import { goOnWhenRead } from './go-on-when-read.ts';
import { bytesBehind, giveInPieces } from './in-pieces.ts';
import { Lane } from '../lane/lane.ts';
import { oddity, upgradeOddity } from './oddity.ts';
import { createSocketDoor } from './socket-door.ts';
import { RelayBodies } from '../bodies/relay-body.ts';
import { isMisplaced, isRelayPath } from '../calls/relay-paths.ts';
import { createRelayRoutes } from '../calls/relay-routes.ts';
import { createRequestIds } from './request-id.ts';
import { sendJson } from './send-json.ts';
import { createTaskRoutes, isTaskPath } from '../calls/task-routes.ts';
import { UnderWay } from './under-way.ts';
import { keptAlive, type Visitor } from './visitor.ts';

/** This many may also wait to be accepted while the process is busy; most systems limit that to 4,096. */
const MAX_CONNECTIONS = 10_000;
/** The share of the limits that each of several relays gets. */
export const doorShare = (relays: number) => ({
  maxConnections: Math.ceil(MAX_CONNECTIONS / relays),
  unreadMaxBytes: Math.ceil(UNREAD_MAX_BYTES / relays),
});
/**
 * The most pipelined requests of one connection. Clients send one at a time, but node parses every request it has
 * received.
 */
const ASKED_AHEAD_MAX = 16;
/** When all work has ended, connections get this long to send what is buffered. */
const FLUSH_MS = 500;

const hardening = ({ arrivalMs = { head: 10_000, whole: 120_000 }, tickMs = 2000 }: FrontDoorDeps) => ({
  headersTimeout: arrivalMs.head,
  requestTimeout: arrivalMs.whole,
  connectionsCheckingInterval: tickMs,
  ...keptAlive,
  // `oddity` sees to it, with an answer that says so.
  requireHostHeader: false,
  // Java's client offers HTTP/2 (`Upgrade: h2c`) with every call: ignore upgrades to anything but WebSocket.
  shouldUpgradeCallback: ({ method, headers }: IncomingMessage): boolean =>
    method === 'GET' && /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? ''),
});

const refuseOdd = (response: ServerResponse, arrival: Arrival, { status, message }: RefusedTarget): void => {
  if (response.socket !== null) hadLastAnswer(response.socket);
  response.setHeader(REQUEST_ID_HEADER, arrival.requestId);
  response.setHeader('Connection', 'close');
  sendJson(response, status, { success: false, message, data: null });
};

/** Why a request is refused by its head. If it is not, its target is a path. */
const refusedHead = (
  request: IncomingMessage,
  oddityOf: typeof oddity,
  { secure }: Arrival,
): RefusedTarget | undefined => {
  const refused = readAbsoluteTarget(request, secure);
  if (refused !== undefined) return refused;
  const message = oddityOf(request);
  return message === undefined ? undefined : { status: 400, message };
};

/** The only supported expectation is `100-continue`. */
const refuseExpectation =
  (nextId: () => string) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader(REQUEST_ID_HEADER, nextId());
    sendJson(response, 417, { success: false, message: 'the expectation cannot be met', data: null });
  };

/** Refuses a connection: sends an answer if possible at once, then closes. */
const turnOff = (nextId: () => string, socket: Socket, refused: Refused): void => {
  socket.on('error', () => socket.destroy());
  turnAway(nextId, socket, refused);
  socket.destroySoon();
};

/** What node leaves to us after an answer: the rest of an unread body, and the idle timeout, which it tells everybody alike. */
const whenAnswered = (
  visitor: Visitor | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  clock: Pick<Clock, 'monotonic'>,
): void => {
  // Node's parser drops what follows a request that offers another protocol.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  if (visitor === undefined) return;
  const { socket } = request;
  if (!visitor.isKnown && response.shouldKeepAlive)
    response.setHeader('Keep-Alive', `timeout=${visitor.toldIdleSeconds}`);
  // Node destroys a connection after its last answer. While a body is still arriving, that would reset it, and the
  // caller could lose the answer. In that case only our side is ended.
  response.prependOnceListener('finish', () => {
    if (!request.complete) socket.destroySoon = () => void socket.end();
  });
  response.once('finish', () => {
    if (!request.complete) {
      visitor.dropRest(clock.monotonic(), () => request.complete);
      wasAnsweredEarly(socket, request);
    } else if (!visitor.isKnown && response.shouldKeepAlive && [...visitor.answers].at(-1) === response)
      socket.setTimeout(visitor.idleMs);
  });
};

/** Routes each request of node's server by its path. */
const createDispatch = (deps: FrontDoorDeps, bodies: RelayBodies, isStopping: () => boolean): Handler => {
  const relayRoutes = createRelayRoutes(deps.relay, bodies);
  const taskRoutes = deps.tasks && createTaskRoutes(deps.tasks, bodies);
  const site = deps.site(isStopping);
  return (request, response, arrival) => {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    // The relay writes all headers at once; the others add to those set here.
    const isTask = isTaskPath(path);
    const isRelays = isRelayPath(path) || (!isTask && isMisplaced(request.method ?? 'GET', path));
    const routes = isRelays ? relayRoutes : isTask ? taskRoutes : undefined;
    if (routes !== undefined) {
      return routes(request, response, arrival, path, mark === -1 ? '' : url.slice(mark + 1));
    }
    return site(request, response, arrival);
  };
};

const connectionsOf = ({
  clock,
  connectionsPerAddress,
  addressCounts,
  trustedProxies,
  maxConnections = MAX_CONNECTIONS,
  unreadMaxBytes,
  tickMs,
}: FrontDoorDeps): Connections => {
  const limits = {
    perAddress: connectionsPerAddress,
    addressCounts,
    most: maxConnections,
    isTrusted: trustedBy(trustedProxies),
    unreadMaxBytes,
  };
  return new Connections(clock, limits, tickMs);
};

/** Counts the request until its answer is sent. */
const isTooManyAhead = (visitor: Visitor, response: ServerResponse): boolean => {
  if (visitor.answers.size === ASKED_AHEAD_MAX) return true;
  visitor.answers.add(response);
  response.once('close', () => visitor.answers.delete(response));
  return false;
};

/** Node's server, for requests the lane does not take. */
const nodeServer = (
  connections: Connections,
  deps: FrontDoorDeps,
  nextId: () => string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): HttpServer => {
  const received =
    (serve: typeof answer) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      const { socket } = request;
      // The one before it was too many, or it was refused while its head arrived.
      if (!socket.writable) return;
      const visitor = connections.of(socket);
      if (visitor !== undefined && isTooManyAhead(visitor, response)) {
        socket.destroy();
        return;
      }
      whenAnswered(visitor, request, response, deps.clock);
      serve(request, response);
    };
  const server = createServer(hardening(deps), received(answer));
  server.on(
    'checkContinue',
    received((request, response) => {
      goOnWhenRead(request, response);
      answer(request, response);
    }),
  );
  server.on('checkExpectation', received(refuseExpectation(nextId)));
  server.on(
    'clientError',
    refuseBroken(nextId, (socket) => connections.of(socket)?.answers ?? []),
  );
  // It never listens itself; this event starts its checks of connection timeouts.
  server.emit('listening');
  return server;
};

/** The server: refuses odd requests, gives every request an id, and passes it to the relay, the API or the console. */
export const createFrontDoor = (deps: FrontDoorDeps): FrontDoor => {
  let isStopping = false;
  const nextId = createRequestIds(deps.clock, deps.random);
  const connections = connectionsOf(deps);
  const arrivalOf = createArrivals(deps, connections, nextId);
  const bodies = deps.bodies ?? new RelayBodies();
  const underWay = new UnderWay();
  const dispatch = createDispatch(deps, bodies, () => isStopping);
  const server = nodeServer(connections, deps, nextId, (request, response) => {
    if (isStopping) response.setHeader('Connection', 'close');
    const arrival = arrivalOf(request);
    const refused = refusedHead(request, oddity, arrival);
    if (refused !== undefined) return refuseOdd(response, arrival, refused);
    const work = dispatch(request, response, arrival);
    if (work instanceof Promise) underWay.add(request, work);
  });
  const sockets = createSocketDoor({ relay: deps.relay, bodies, arrivalOf });
  server.on('upgrade', (request, socket, head) => {
    const behind = bytesBehind(socket, head);
    whenItsTurn(connections.of(request.socket)?.answers ?? [], socket, () => {
      const refused = refusedHead(request, upgradeOddity, arrivalOf(request));
      if (refused === undefined) return sockets(request, socket, behind);
      turnAway(nextId, socket, refused.status === 421 ? '421 Misdirected Request' : '400 Bad Request');
      hangUp(socket);
    });
  });

  const laneDeps = {
    relay: deps.relay,
    bodies,
    arrivalOf,
    turnAway: (socket: Socket, status: string) => turnAway(nextId, socket, status),
    isStopping: () => isStopping,
    handOver(socket: Socket, bytes: Buffer) {
      server.emit('connection', socket);
      giveInPieces(socket);
      socket.unshift(bytes);
    },
  };
  const lane = new Lane(deps.clock, laneDeps, deps.tickMs);
  const listener = createListener({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const visitor = connections.admit(socket);
    if (typeof visitor === 'string') turnOff(nextId, socket, visitor);
    else lane.take(visitor);
  });

  return {
    async listen(port, host) {
      if (deps.sharesPort === 'first') await assertFree(port, host);
      return listening(listener, { port, host, reusePort: deps.sharesPort !== undefined });
    },
    async stop(graceMs) {
      isStopping = true;
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      server.close();
      lane.closeIdle();
      await Promise.all([deps.relay.stop(graceMs), underWay.ended(graceMs)]);
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

/** Throws if another program listens on the port, because it would get a share of the connections. */
const assertFree = async (port: number, host: string): Promise<void> => {
  const probe = createListener();
  await listening(probe, { port, host, reusePort: false });
  await new Promise((resolve) => probe.close(resolve));
};

const listening = (
  server: Server,
  place: { readonly port: number; readonly host: string; readonly reusePort: boolean },
): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...place, backlog: MAX_CONNECTIONS }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
