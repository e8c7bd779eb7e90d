import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Arrival, FrontDoorDeps } from './front-door-deps.ts';
import { sendJson } from './send-json.ts';

/** What machines ask about the server: whether it lives, whether it can serve, and its numbers. */
export type Probe = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => void;

const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.');

/** What proxies add to what they pass on; and they, unlike whoever collects metrics, may speak the older version. */
const ADDED_BY_PROXIES = [
  'forwarded',
  'via',
  'x-client-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

const isProxied = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.1' || ADDED_BY_PROXIES.some((name) => headers[name] !== undefined);

/** By the token where one is set; else from this machine only, and not through a proxy on it. */
const mayReadMetrics = (
  request: IncomingMessage,
  { ip }: Arrival,
  metricsToken: string | undefined,
): boolean => {
  const sent = Buffer.from(request.headers.authorization?.replace(/^bearer +/i, '') ?? '');
  const token = Buffer.from(metricsToken ?? '');
  if (token.length > 0) return sent.length === token.length && timingSafeEqual(sent, token);
  return isLoopback(ip) && !isProxied(request);
};

/**
 * `/healthz`, `/readyz` and `/metrics`, by path. Not ready is 503: while the server stops, or its database does
 * not answer.
 */
export const createProbes = (
  deps: Pick<FrontDoorDeps, 'metrics' | 'metricsToken' | 'ready'>,
  isStopping: () => boolean,
): ReadonlyMap<string, Probe> => {
  const metrics: Probe = (request, response, arrival) => {
    if (!mayReadMetrics(request, arrival, deps.metricsToken)) {
      sendJson(response, 403, { success: false, message: 'no permission to do this', data: null });
      return;
    }
    response
      .writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
      .end(deps.metrics.text());
  };
  const isReady = async (): Promise<boolean> => !isStopping() && (await deps.ready());
  const ready: Probe = (_request, response) => {
    void isReady()
      .catch(() => false)
      .then((yes) => sendJson(response, yes ? 200 : 503, { ready: yes }));
  };
  return new Map<string, Probe>([
    ['/healthz', (_request, response) => sendJson(response, 200, { alive: true })],
    ['/readyz', ready],
    ['/metrics', metrics],
  ]);
};
