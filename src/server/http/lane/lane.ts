import type { Clock } from '#core/clock.ts';
import type { Visitor } from '../door/visitor.ts';
import { LaneConnection, type LaneDeps } from './lane-connection.ts';

const TICK_MS = 2000;

/**
 * The fast path. Most relay calls are alike: a small POST with a plain length over a persistent connection. These are
 * parsed and answered here, directly on the socket, at a fraction of the cost of node's server. A connection that sends
 * anything else, valid or not, is handed to node's server with the bytes it sent.
 */
export class Lane {
  readonly #deps: LaneDeps;
  readonly #clock: Clock;
  readonly #connections = new Set<LaneConnection>();
  readonly #timer: NodeJS.Timeout;

  constructor(clock: Clock, deps: Omit<LaneDeps, 'closed' | 'date' | 'nowMs' | 'latest'>, tickMs = TICK_MS) {
    this.#clock = clock;
    const latest: LaneDeps['latest'] = { connection: undefined };
    this.#deps = {
      ...deps,
      nowMs: () => clock.monotonic(),
      date: datesOf(clock),
      closed: (connection) => {
        this.#connections.delete(connection);
        // Its key is no longer in memory.
        if (latest.connection === connection) latest.connection = undefined;
      },
      latest,
    };
    // After a stall of this process, timers run before sockets. Read what has arrived meanwhile before checking
    // timeouts.
    this.#timer = setInterval(() => setImmediate(this.#tick), tickMs);
    this.#timer.unref();
  }

  take(visitor: Visitor): void {
    this.#connections.add(new LaneConnection(visitor, this.#deps));
  }

  closeIdle(): void {
    for (const connection of this.#connections) if (connection.isIdle) connection.socket.destroySoon();
  }

  closeAll(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#connections) socket.destroy();
  }

  readonly #tick = (): void => {
    const nowMs = this.#clock.monotonic();
    for (const connection of this.#connections) connection.tick(nowMs);
  };
}

/** The `Date` header, formatted once a second. */
const datesOf = (clock: Clock): (() => string) => {
  let second = -1;
  let text = '';
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
};
