import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Random } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { Relay } from '../../relay/ports.ts';
import type { TaskRelay } from '../../relay/tasks/tasks.ts';
import type { AddressCounts } from './connections.ts';
import type { Visitor } from './visitor.ts';
import type { RelayBodies } from '../bodies/relay-body.ts';

/** What the front door knows of a request before its body is read. */
export interface Arrival {
  readonly requestId: string;
  /** The client's address, behind trusted proxies. */
  readonly ip: string;
  /** The browser spoke https, to us or to a trusted proxy. */
  readonly secure: boolean;
  /** The key by which limits per address count the caller. */
  readonly addressKey: string;
  /** The client of the connection. */
  readonly visitor: Pick<Visitor, 'isKnown' | 'messages'> & Partial<Pick<Visitor, 'seenKey'>>;
}

/** The work on a request; if it takes time, a promise that resolves when nothing more is done for it. */
type Work = Promise<unknown> | void;

/** Answers one request. The request id header is set on the response already. */
export type Handler = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => Work;

/** The same for a relay path, already parsed; `query` has no leading `?`. */
export type RelayHandler<Answer = Work> = (
  request: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival,
  path: string,
  query: string,
) => Answer;

export interface FrontDoorDeps {
  readonly relay: Relay;
  /** Drawing and music; without it their paths are not found. */
  readonly tasks?: Pick<TaskRelay, 'serve'>;
  /** Every path that is not the relay's: the API, the console, the probes. */
  readonly site: (isStopping: () => boolean) => Handler;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Connections at once from one address that is no trusted proxy. */
  readonly connectionsPerAddress: number;
  /** Counts connections per address; in this thread alone by default. */
  readonly addressCounts?: AddressCounts;
  /** 10 000 by default. */
  readonly maxConnections?: number;
  /** Other threads listen on the same port. The first of them checks that no other program does. */
  readonly sharesPort?: 'first' | 'further' | undefined;
  /** The memory limits for bodies; new ones by default. */
  readonly bodies?: RelayBodies;
  /** Unread bytes of all answers; 512 MiB by default. */
  readonly unreadMaxBytes?: number;
  /** How long the head of a request, and all of it, may take to arrive; 10 s and two minutes by default. */
  readonly arrivalMs?: { readonly head: number; readonly whole: number };
  /** How often connections are checked; every two seconds by default. */
  readonly tickMs?: number;
}

/** Node's server, with a stop that lets running calls finish. */
export interface FrontDoor {
  /** @returns the port, which the system chooses if 0 was requested */
  listen(port: number, host: string): Promise<number>;
  /**
   * Refuses new calls, waits up to `graceMs` for running calls and all other work, ends the remaining calls with an
   * error, settles and closes.
   */
  stop(graceMs: number): Promise<void>;
}
