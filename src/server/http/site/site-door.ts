import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Arrival, Handler } from '../door/front-door-deps.ts';
import { sendJson } from '../door/send-json.ts';
import { UnderWay } from '../door/under-way.ts';

/** How the other threads of this process reach the site, which the main thread serves. */
export interface SiteDoor {
  readonly port: number;
  /** Only requests with this secret are accepted. */
  readonly secret: string;
}

const HOST = '127.0.0.1';
const SECRET_BYTES = 32;
/** Carries the secret, and what the thread that received the request knows about it. */
const ARRIVAL_HEADER = 'x-tollgate-arrival';
/** Tells the thread that received the request that its client is known: it has the connection. */
const KNOWN_HEADER = 'x-tollgate-known';
/** Headers that apply to one connection and are not forwarded. `expect` was answered where the request was received. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'expect',
  ARRIVAL_HEADER,
  KNOWN_HEADER,
]);

const arrivalSchema = z.object({
  secret: z.string(),
  requestId: z.string(),
  ip: z.string(),
  secure: z.boolean(),
  addressKey: z.string(),
});

const visitorOf = (response: ServerResponse): Arrival['visitor'] => ({
  messages: undefined,
  get isKnown() {
    return response.hasHeader(KNOWN_HEADER);
  },
  set isKnown(isKnown) {
    if (isKnown && !response.headersSent) response.setHeader(KNOWN_HEADER, 'yes');
  },
});

const arrivalOf = (
  { headers }: IncomingMessage,
  response: ServerResponse,
  secret: Buffer,
): Arrival | undefined => {
  const text = headers[ARRIVAL_HEADER];
  if (typeof text !== 'string') return undefined;
  const { secret: given, ...known } = arrivalSchema.parse(JSON.parse(decodeURIComponent(text)));
  const bytes = Buffer.from(given);
  if (bytes.length !== secret.length || !timingSafeEqual(bytes, secret)) return undefined;
  return { ...known, visitor: visitorOf(response) };
};

/** Lets other threads of this process reach the site: on a port of this machine, with a secret. */
export const openSiteDoor = async (
  site: Handler,
): Promise<{ readonly door: SiteDoor; close(graceMs: number): Promise<void> }> => {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const expected = Buffer.from(secret);
  const underWay = new UnderWay();
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    let arrival: Arrival | undefined;
    try {
      arrival = arrivalOf(request, response, expected);
    } catch {
      arrival = undefined;
    }
    if (arrival === undefined) return void response.destroy();
    const work = site(request, response, arrival);
    if (work instanceof Promise) underWay.add(request, work);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: HOST }, () => resolve());
  });
  return {
    door: { port: (server.address() as AddressInfo).port, secret },
    close: async (graceMs) => {
      await underWay.ended(graceMs);
      server.closeAllConnections();
      server.close();
    },
  };
};

const passed = (raw: readonly string[]): string[] =>
  raw.filter((_, at) => !OF_ONE_CONNECTION.has((raw[at - (at % 2)] ?? '').toLowerCase()));

const unreachable = (response: ServerResponse): void => {
  if (response.headersSent) return void response.destroy();
  const message = 'the server is starting or stopping, try again';
  sendJson(response, 503, { success: false, message, data: null });
};

/** Forwards a request to the main thread: bodies are streamed both ways. */
export const forwardTo = ({ port, secret }: SiteDoor): Handler & { close(): void } => {
  const agent = new Agent({ keepAlive: true });
  const forward = (request: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> => {
    const { requestId, ip, secure, addressKey } = arrival;
    const arrivalText = encodeURIComponent(JSON.stringify({ secret, requestId, ip, secure, addressKey }));
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    const onward = ask({
      agent,
      host: HOST,
      port,
      method: request.method,
      path: request.url,
      headers: [
        ...passed(request.rawHeaders),
        ARRIVAL_HEADER,
        arrivalText,
        ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
      ],
    });
    return new Promise((resolve) => {
      onward.on('response', (reply) => {
        if (reply.headers[KNOWN_HEADER] !== undefined) arrival.visitor.isKnown = true;
        response.writeHead(reply.statusCode ?? 502, passed(reply.rawHeaders));
        reply.on('error', () => response.destroy());
        reply.pipe(response);
      });
      onward.on('error', () => unreachable(response));
      response.once('close', () => {
        onward.destroy();
        resolve();
      });
      request.on('error', () => onward.destroy());
      request.pipe(onward);
    });
  };
  return Object.assign(forward, { close: () => agent.destroy() });
};
