import type { Clock } from '../clock.ts';

/** Clocks that differ by at most this count as equal. */
const EQUAL_MS = 1000;

/** A reading of another clock. */
export interface Reading {
  readonly otherMs: number;
  /** When it was asked for, and when its answer had come; monotonic. */
  readonly askedMs: number;
  readonly heardMs: number;
}

/** What was found when the other clock was read. */
interface Found {
  /** The time of this machine's clock, and of the clock that counts, at the monotonic time 0. */
  readonly ownStartMs: number;
  readonly startMs: number;
  readonly agrees: boolean;
}

/**
 * A clock that several machines share: this machine's own, or, if that differs, one that all of them can read. All
 * machines then agree on the day and hour, and on whether a stored time is over.
 */
export class SharedClock implements Clock {
  readonly #own: Clock;
  /** Undefined while there is no other clock. */
  #found: Found | undefined;
  #onStep: () => void = () => {};
  #hasTold = false;

  constructor(own: Clock) {
    this.#own = own;
  }

  // Clocks are also passed on by their functions.
  readonly now = (): number => {
    const ownMs = this.#own.now();
    const found = this.#found;
    if (found === undefined) return ownMs;
    const passedMs = this.#own.monotonic();
    const isSet = Math.abs(ownMs - passedMs - found.ownStartMs) > EQUAL_MS;
    if (isSet && !this.#hasTold) {
      this.#hasTold = true;
      this.#onStep();
    }
    return found.agrees && !isSet ? ownMs : Math.floor(found.startMs + passedMs);
  };

  readonly monotonic = (): number => this.#own.monotonic();

  /**
   * Called once when this machine's clock was set or the machine slept. Until the other clock is read again, time
   * goes on as if that had not happened.
   */
  onStep(listener: () => void): void {
    this.#onStep = listener;
  }

  /** @returns by how much this machine's clock is ahead of the other one, in milliseconds; 0 if they agree */
  follow({ otherMs, askedMs, heardMs }: Reading): number {
    const otherStartMs = otherMs - (askedMs + heardMs) / 2;
    const ownStartMs = this.#own.now() - this.#own.monotonic();
    const aheadMs = ownStartMs - otherStartMs;
    const agrees = Math.abs(aheadMs) <= EQUAL_MS + (heardMs - askedMs) / 2;
    this.#found = { ownStartMs, startMs: agrees ? ownStartMs : otherStartMs, agrees };
    this.#hasTold = false;
    return agrees ? 0 : Math.round(aheadMs);
  }
}
