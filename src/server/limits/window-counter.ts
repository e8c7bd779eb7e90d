interface Counted {
  windowStartMs: number;
  count: number;
  previous: number;
}

/**
 * Counts events for each key over a sliding window with three numbers a key: those of this window, and of the one
 * before as far as it still reaches in. The keys used longest ago are forgotten first.
 */
export class WindowCounter {
  readonly #counts = new Map<string | number, Counted>();
  readonly #maxKeys: number;

  constructor(maxKeys = 100_000) {
    this.#maxKeys = maxKeys;
  }

  /** How many events of the last `windowMs` are known of the key, rounded down. */
  count(key: string | number, windowMs: number, nowMs: number): number {
    const counted = this.#counts.get(key);
    if (counted === undefined) return 0;
    this.#roll(counted, windowMs, nowMs);
    const leftMs = Math.max(0, counted.windowStartMs + windowMs - nowMs);
    return Math.floor(counted.count + (counted.previous * leftMs) / windowMs);
  }

  add(key: string | number, windowMs: number, nowMs: number): void {
    let counted = this.#counts.get(key);
    if (counted === undefined) {
      counted = { windowStartMs: nowMs, count: 0, previous: 0 };
      if (this.#counts.size >= this.#maxKeys) this.#forgetOldest();
    } else {
      // Set again so that the map's order is the order of use.
      this.#counts.delete(key);
      this.#roll(counted, windowMs, nowMs);
    }
    counted.count += 1;
    this.#counts.set(key, counted);
  }

  get size(): number {
    return this.#counts.size;
  }

  #roll(counted: Counted, windowMs: number, nowMs: number): void {
    const passed = nowMs - counted.windowStartMs;
    if (passed < windowMs && passed >= 0) return;
    counted.previous = passed >= 0 && passed < 2 * windowMs ? counted.count : 0;
    counted.windowStartMs = passed >= 0 && passed < 2 * windowMs ? counted.windowStartMs + windowMs : nowMs;
    counted.count = 0;
  }

  #forgetOldest(): void {
    const oldest = this.#counts.keys().next();
    if (!oldest.done) this.#counts.delete(oldest.value);
  }
}
