const SLICES = 8;
const SHORTEST_SLICE_MS = 20;
const LONGEST_SLICE_MS = 1000;

/**
 * Calls `late` when the other side has been silent too long. A stall of our own (a sleeping machine, a busy core, a
 * long garbage collection) does not count: time is counted in slices, and a slice that ends late counts as one. Before
 * `late`, all waiting socket data is read, which may stop the timer.
 */
export class AwakeTimer {
  readonly #limitMs: number;
  readonly #late: () => void;
  readonly #sliceMs: number;
  #leftMs: number;
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Immediate | undefined;

  constructor(limitMs: number, late: () => void) {
    this.#limitMs = limitMs;
    this.#late = late;
    this.#sliceMs = Math.min(Math.max(limitMs / SLICES, SHORTEST_SLICE_MS), LONGEST_SLICE_MS);
    this.#leftMs = limitMs;
    this.#wait();
  }

  /** The time left, rounded to a slice. */
  get leftMs(): number {
    return Math.max(0, this.#leftMs);
  }

  /** Starts again with the whole time. */
  restart(): void {
    this.stop();
    this.#leftMs = this.#limitMs;
    this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
    if (this.#check !== undefined) clearImmediate(this.#check);
    this.#check = undefined;
  }

  #wait(): void {
    this.#timer = setTimeout(this.#passed, Math.min(this.#leftMs, this.#sliceMs)).unref();
  }

  readonly #passed = (): void => {
    this.#leftMs -= this.#sliceMs;
    if (this.#leftMs > 0) this.#wait();
    // Node runs timers before it reads sockets; an immediate runs after both.
    else this.#check = setImmediate(this.#late);
  };
}

/** A signal that aborts when this time is over, with `AbortSignal.timeout`'s reason. */
export const awakeSignal = (limitMs: number): AbortSignal => {
  const controller = new AbortController();
  new AwakeTimer(limitMs, () => controller.abort(new DOMException('the time is over', 'TimeoutError')));
  return controller.signal;
};
