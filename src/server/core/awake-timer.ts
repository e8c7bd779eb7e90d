const SLICES = 8;
const SHORTEST_SLICE_MS = 20;
const LONGEST_SLICE_MS = 1000;

/**
 * Says when somebody has been silent for too long, and never blames them for a stall of our own: a machine that slept, a
 * core that was busy elsewhere, a long collection of garbage. The time is counted in slices, and a slice that ends late
 * counts as one; before `late` is called, everything that lies in the sockets is read, which may stop the timer.
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

  /** From now on it is the whole time again. */
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
    // Timers run before sockets are read, and this after it.
    else this.#check = setImmediate(this.#late);
  };
}

/** A signal that aborts when this time is over, with `AbortSignal.timeout`'s reason. */
export const awakeSignal = (limitMs: number): AbortSignal => {
  const controller = new AbortController();
  new AwakeTimer(limitMs, () => controller.abort(new DOMException('the time is over', 'TimeoutError')));
  return controller.signal;
};
