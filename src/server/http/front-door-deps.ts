import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Random } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { Relay } from '../relay/ports.ts';
import type { TaskRelay } from '../relay/tasks/tasks.ts';
import type { Visitor } from './connections.ts';
import type { Metrics } from './metrics.ts';
import type { RelayBodies } from './relay-body.ts';

/** What the front door knows of a request before anybody reads it. */
export interface Arrival {
  readonly requestId: string;
  /** The caller's address, trusted proxies looked through. */
  readonly ip: string;
  /** The browser spoke https, to us or to a trusted proxy. */
  readonly secure: boolean;
  /** What limits per address count the caller by. */
  readonly addressKey: string;
  /** Whoever is at the other end of the connection. */
  readonly visitor: Pick<Visitor, 'isKnown'>;
}

/** Answers one request. The request id header is set on the response already. */
export type Handler = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => void;

/** The same under a path of the relay, which is told apart already; `query` is what stands behind its `?`. */
export type RelayHandler<Answer = void> = (
  request: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival,
  path: string,
  query: string,
) => Answer;

export interface FrontDoorDeps {
  readonly relay: Relay;
  /** Drawing and music; without it their paths lead nowhere. */
  readonly tasks?: Pick<TaskRelay, 'serve'>;
  readonly metrics: Pick<Metrics, 'text'>;
  /** `/api/*` */
  readonly api: Handler;
  /** Every path nobody else answers: the console's files. */
  readonly console: Handler;
  /** False while the database does not answer: `/readyz` says so. */
  readonly ready: () => boolean | Promise<boolean>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Bearer token for `/metrics`; without one nobody may read it. */
  readonly metricsToken: string | undefined;
  /** Connections at once from one address that is no trusted proxy. */
  readonly connectionsPerAddress: number;
  /** 10 000 when not given. */
  readonly maxConnections?: number;
  /** The room for bodies; one of its own when not given. */
  readonly bodies?: RelayBodies;
  /** How often connections are looked at; every two seconds when not given. */
  readonly tickMs?: number;
}

/** The server: node's own, listening and closing as it does, and a stop that lets running calls finish. */
export interface FrontDoor {
  /** @returns the port, also when 0 was asked for */
  listen(port: number, host: string): Promise<number>;
  /** Refuses new calls, waits for running ones up to `graceMs`, ends what is left with an error, settles, closes. */
  stop(graceMs: number): Promise<void>;
}
