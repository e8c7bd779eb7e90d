import { countedIn, type RateWindow } from '#core/limits/rate-window.ts';

interface Counted {
  windowStartMs: number;
  count: number;
  previous: number;
}

/**
 * Counts events for each key over a sliding window, with three numbers per key: the count of this window, of the
 * previous one (weighted by how much of it is still inside), and the start. The least recently used keys are dropped
 * first.
 */
export class WindowCounter {
  readonly #counts = new Map<string | number, Counted>();
  readonly #maxKeys: number;

  constructor(maxKeys = 100_000) {
    this.#maxKeys = maxKeys;
  }

  /** The state of the key at this moment. */
  window(key: string | number, windowMs: number, nowMs: number): RateWindow {
    const counted = this.#counts.get(key);
    if (counted === undefined) return { count: 0, previous: 0, leftMs: windowMs };
    // Reading changes nothing, so that the counts match those of Redis, where a read writes nothing.
    const { count, previous, windowStartMs } = rolled(counted, windowMs, nowMs);
    return { count, previous, leftMs: Math.min(windowMs, Math.max(0, windowStartMs + windowMs - nowMs)) };
  }

  /** How many events the key had in the last `windowMs`, rounded down. */
  count(key: string | number, windowMs: number, nowMs: number): number {
    return this.#counts.has(key) ? countedIn(this.window(key, windowMs, nowMs), windowMs) : 0;
  }

  add(key: string | number, windowMs: number, nowMs: number): void {
    let counted = this.#counts.get(key);
    if (counted === undefined) {
      counted = { windowStartMs: nowMs, count: 0, previous: 0 };
      if (this.#counts.size >= this.#maxKeys) this.#forgetOldest();
    } else {
      // Set again so that the map is ordered by last use.
      this.#counts.delete(key);
      counted = rolled(counted, windowMs, nowMs);
    }
    counted.count += 1;
    this.#counts.set(key, counted);
  }

  /** Takes over the state of a counter that counts for all. */
  learn(
    key: string | number,
    { count, previous, leftMs }: RateWindow,
    windowMs: number,
    nowMs: number,
  ): void {
    if (count === 0 && previous === 0) return void this.#counts.delete(key);
    if (!this.#counts.delete(key) && this.#counts.size >= this.#maxKeys) this.#forgetOldest();
    this.#counts.set(key, { windowStartMs: nowMs + leftMs - windowMs, count, previous });
  }

  /** Takes back an event added at that time, if it still counts. */
  takeBack(key: string | number, addedAtMs: number, windowMs: number, nowMs: number): void {
    const known = this.#counts.get(key);
    if (known === undefined) return;
    const counted = rolled(known, windowMs, nowMs);
    const { windowStartMs } = counted;
    if (addedAtMs >= windowStartMs) counted.count = Math.max(0, counted.count - 1);
    else if (addedAtMs >= windowStartMs - windowMs) counted.previous = Math.max(0, counted.previous - 1);
    this.#counts.set(key, counted);
  }

  get size(): number {
    return this.#counts.size;
  }

  #forgetOldest(): void {
    const oldest = this.#counts.keys().next();
    if (!oldest.done) this.#counts.delete(oldest.value);
  }
}

/**
 * The counts moved to the current window: the same object, to be changed by whoever counts, or a new one. A time before
 * the window comes from a lagging clock and counts in the window; only a time a whole window earlier comes from a clock
 * that was set back, and starts a new window.
 */
const rolled = (counted: Counted, windowMs: number, nowMs: number): Counted => {
  const passed = nowMs - counted.windowStartMs;
  if (passed < windowMs && passed >= -windowMs) return counted;
  const isNext = passed >= 0 && passed < 2 * windowMs;
  return {
    windowStartMs: isNext ? counted.windowStartMs + windowMs : nowMs,
    previous: isNext ? counted.count : 0,
    count: 0,
  };
};
