import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Metrics } from './metrics.ts';
import { sendJson } from '../door/send-json.ts';

/** A database that takes longer counts as unavailable. */
const READY_WITHIN_MS = 5000;

/** Endpoints for monitoring: liveness, readiness and metrics. */
export type Probe = (request: IncomingMessage, response: ServerResponse) => void;

export interface ProbeDeps {
  readonly metrics: Pick<Metrics, 'text'>;
  /** Bearer token for `/metrics`; without one the page is closed. */
  readonly metricsToken: string | undefined;
  /** False while the database does not answer, or nothing can be charged; shown by `/readyz`. */
  readonly ready: () => boolean | Promise<boolean>;
}

/** Checks only the token: a request from this machine may have been forwarded for anybody. */
const mayReadMetrics = ({ headers }: IncomingMessage, metricsToken: string | undefined): boolean => {
  if (metricsToken === undefined) return false;
  const sent = headers.authorization?.replace(/^bearer +/i, '') ?? '';
  return timingSafeEqual(sha256(sent), sha256(metricsToken));
};

/** The digest has the same length for every text, so the time to compare reveals nothing. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * `/healthz`, `/readyz` and `/metrics`, by path. Not ready (503) while the server is stopping, its database does not answer,
 * or nothing can be charged.
 */
export const createProbes = (deps: ProbeDeps, isStopping: () => boolean): ReadonlyMap<string, Probe> => {
  const metrics: Probe = (request, response) => {
    if (!mayReadMetrics(request, deps.metricsToken)) {
      sendJson(response, 403, { success: false, message: 'no permission to do this', data: null });
      return;
    }
    void deps.metrics
      .text()
      .then((text) =>
        response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      );
  };
  const isReady = async (): Promise<boolean> =>
    !isStopping() && (await Promise.race([deps.ready(), pause(READY_WITHIN_MS, false, { ref: false })]));
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
