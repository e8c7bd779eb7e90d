import type { Clock } from '../clock.ts';

/** Clocks that differ by no more count as equal. */
const EQUAL_MS = 1000;

/** A reading of another clock. */
export interface Reading {
  readonly otherMs: number;
  /** When it was asked for, and when its answer had come; monotonic. */
  readonly askedMs: number;
  readonly heardMs: number;
}

/**
 * A clock that several machines share: this machine's, unless that differs from another one that all of them can read. So it is
 * the same day and hour on all of them, and what one writes down as over at a time is over at that time for the others.
 */
export class SharedClock implements Clock {
  readonly #own: Clock;
  /** What the other clock showed when the monotonic one showed 0; undefined while the two agree. */
  #startMs: number | undefined;

  constructor(own: Clock) {
    this.#own = own;
  }

  // Clocks are also passed on by their functions.
  readonly now = (): number =>
    this.#startMs === undefined ? this.#own.now() : Math.floor(this.#startMs + this.#own.monotonic());

  readonly monotonic = (): number => this.#own.monotonic();

  /** @returns by how much this machine's clock is ahead of the other one, in milliseconds; 0 if they agree */
  follow({ otherMs, askedMs, heardMs }: Reading): number {
    const startMs = otherMs - (askedMs + heardMs) / 2;
    const aheadMs = this.#own.now() - this.#own.monotonic() - startMs;
    const isEqual = Math.abs(aheadMs) <= EQUAL_MS + (heardMs - askedMs) / 2;
    this.#startMs = isEqual ? undefined : startMs;
    return isEqual ? 0 : Math.round(aheadMs);
  }
}
