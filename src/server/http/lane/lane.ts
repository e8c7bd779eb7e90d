import type { Clock } from '#core/clock.ts';
import type { Visitor } from '../connections.ts';
import { LaneConnection, type LaneDeps } from './lane-connection.ts';

const TICK_MS = 2000;

/** Bytes per number as base64: four, plus a third. */
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
    // The default number of dimensions, by model name. Sources: the providers' pages, November 2026.
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

/** For unknown models: as many as those of the large providers. */
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
