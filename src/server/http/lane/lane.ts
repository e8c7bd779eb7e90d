import type { Clock } from '#core/clock.ts';
import type { Visitor } from '../connections.ts';
import { LaneConnection, type LaneDeps } from './lane-connection.ts';

const TICK_MS = 2000;

/**
 * The short way in. Calls of the relay are mostly alike: a small POST with a plain length over a kept connection. Those
 * are read and answered here, straight from and to the socket, for a fraction of what node's server takes for them. A
 * connection that brings anything else, right or wrong, is given to node's server with the bytes it brought.
 */
export class Lane {
  readonly #deps: LaneDeps;
  readonly #clock: Clock;
  readonly #connections = new Set<LaneConnection>();
  readonly #timer: NodeJS.Timeout;

  constructor(clock: Clock, deps: Omit<LaneDeps, 'closed' | 'date' | 'nowMs'>, tickMs = TICK_MS) {
    this.#clock = clock;
    this.#deps = {
      ...deps,
      nowMs: () => clock.monotonic(),
      date: datesOf(clock),
      closed: (connection) => void this.#connections.delete(connection),
    };
    this.#timer = setInterval(() => this.#tick(), tickMs);
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

  #tick(): void {
    const nowMs = this.#clock.monotonic();
    for (const connection of this.#connections) connection.tick(nowMs);
  }
}

/** The text of the `Date` header, made once a second. */
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
