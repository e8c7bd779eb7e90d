import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import { createClientAddress } from './client-address.ts';
import type { Arrival, FrontDoor, FrontDoorDeps } from './front-door-deps.ts';
import { createRelayRoutes, isRelayPath } from './relay-routes.ts';
import { createRequestIds } from './request-id.ts';
import { sendJson } from './send-json.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;
const CHECK_EVERY_MS = 2000;
const KEEP_ALIVE_MS = 75_000;
const HEADERS_MAX = 100;
const MAX_CONNECTIONS = 10_000;
/** After running calls have ended, connections get this long to send what is still in them. */
const FLUSH_MS = 500;

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

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.');

/** The server: what is odd is refused, every request gets an id, and goes to the relay, the API or the console. */
export const createFrontDoor = (deps: FrontDoorDeps): FrontDoor => {
  const nextId = createRequestIds(deps.clock, deps.random);
  const addressOf = createClientAddress(deps.trustedProxies);
  const relayRoutes = createRelayRoutes(deps.relay);
  let isStopping = false;

  const arrivalOf = ({ headers, socket }: IncomingMessage): Arrival => {
    const { ip, secure } = addressOf({
      remoteAddress: socket.remoteAddress,
      forwardedFor: single(headers['x-forwarded-for']),
      forwardedProto: single(headers['x-forwarded-proto']),
    });
    return { requestId: nextId(), ip, secure };
  };

  const mayReadMetrics = ({ headers }: IncomingMessage, { ip }: Arrival): boolean => {
    const sent = Buffer.from(headers.authorization?.replace(/^bearer +/i, '') ?? '');
    const token = Buffer.from(deps.metricsToken ?? '');
    if (token.length > 0) return sent.length === token.length && timingSafeEqual(sent, token);
    // Behind a proxy on this machine everybody seems to come from here.
    return isLoopback(ip) && headers['x-forwarded-for'] === undefined && headers['forwarded'] === undefined;
  };

  const metrics = (request: IncomingMessage, response: ServerResponse, arrival: Arrival): void => {
    if (!mayReadMetrics(request, arrival)) {
      sendJson(response, 403, { success: false, message: 'no permission to do this', data: null });
      return;
    }
    response
      .writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
      .end(deps.metrics.text());
  };

  const ready = async (response: ServerResponse): Promise<void> => {
    const isReady = !isStopping && (await Promise.resolve(deps.ready()).catch(() => false));
    sendJson(response, isReady ? 200 : 503, { ready: isReady });
  };

  const dispatch = (request: IncomingMessage, response: ServerResponse, arrival: Arrival): void => {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    if (isRelayPath(path)) {
      relayRoutes(request, response, arrival, path, mark === -1 ? '' : url.slice(mark + 1));
      return;
    }
    response.setHeader(REQUEST_ID_HEADER, arrival.requestId);
    if (path === '/api' || path.startsWith('/api/')) deps.api(request, response, arrival);
    else if (path === '/healthz') sendJson(response, 200, { alive: true });
    else if (path === '/readyz') void ready(response);
    else if (path === '/metrics') metrics(request, response, arrival);
    else deps.console(request, response, arrival);
  };

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: true,
    },
    (request, response) => {
      const arrival = arrivalOf(request);
      if (isStopping) response.setHeader('Connection', 'close');
      const odd = oddity(request);
      if (odd === undefined) {
        dispatch(request, response, arrival);
        return;
      }
      response.setHeader(REQUEST_ID_HEADER, arrival.requestId);
      response.setHeader('Connection', 'close');
      sendJson(response, 400, { success: false, message: odd, data: null });
    },
  );
  server.maxConnections = deps.maxConnections ?? MAX_CONNECTIONS;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status =
      error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    const head = timedOut ? '408 Request Timeout' : status;
    socket.end(
      `HTTP/1.1 ${head}\r\n${REQUEST_ID_HEADER}: ${nextId()}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
  });

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host, backlog: 1024 }, () => {
          server.off('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    async stop(graceMs) {
      isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await deps.relay.stop(graceMs);
      server.closeIdleConnections();
      const flushed = setTimeout(() => server.closeAllConnections(), FLUSH_MS);
      await closed;
      clearTimeout(flushed);
    },
  };
};
