import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FrontDoorDeps } from './front-door-deps.ts';
import { sendJson } from './send-json.ts';

/** What machines ask about the server: whether it lives, whether it can serve, and its numbers. */
export type Probe = (request: IncomingMessage, response: ServerResponse) => void;

/** By the token, and by nothing else: that a request comes from this machine does not say who sent it through what. */
const mayReadMetrics = ({ headers }: IncomingMessage, metricsToken: string | undefined): boolean => {
  const sent = Buffer.from(headers.authorization?.replace(/^bearer +/i, '') ?? '');
  const token = Buffer.from(metricsToken ?? '');
  return token.length > 0 && sent.length === token.length && timingSafeEqual(sent, token);
};

/**
 * `/healthz`, `/readyz` and `/metrics`, by path. Not ready is 503: while the server stops, or its database does
 * not answer.
 */
export const createProbes = (
  deps: Pick<FrontDoorDeps, 'metrics' | 'metricsToken' | 'ready'>,
  isStopping: () => boolean,
): ReadonlyMap<string, Probe> => {
  const metrics: Probe = (request, response) => {
    if (!mayReadMetrics(request, deps.metricsToken)) {
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
