/** One attempt in so many, or one in so many minutes, may be a probe; a few at once after a while without. */
const ATTEMPTS_OF_PROBE = 20;
const MINUTES_OF_PROBE = 10;
const MOST_AT_ONCE = 3;
const MODELS_MAX = 5000;

/**
 * How often calls of a model begin at something that keeps failing, to find out whether it works again. Where there are
 * few calls, or much is broken, most of them would otherwise begin there.
 */
export class Probes {
  readonly #models = new Map<string, { left: number; atMs: number }>();

  /** Whether a call may begin at a seat that keeps failing although others do not. */
  isDue(model: string, nowMs: number): boolean {
    const known = this.#models.get(model);
    return known === undefined || leftAt(known, nowMs) >= 1;
  }

  /** Notes that an attempt begins. */
  begun(model: string, nowMs: number, isProbe: boolean): void {
    const known = this.#models.get(model);
    // Where nothing fails nothing has to be remembered.
    if (known === undefined && !isProbe) return;
    const left = known === undefined ? MOST_AT_ONCE : leftAt(known, nowMs) + 1 / ATTEMPTS_OF_PROBE;
    this.#models.set(model, {
      left: Math.max(0, Math.min(MOST_AT_ONCE, left) - (isProbe ? 1 : 0)),
      atMs: nowMs,
    });
    if (this.#models.size <= MODELS_MAX) return;
    const [oldest] = this.#models.keys();
    if (oldest !== undefined) this.#models.delete(oldest);
  }
}

const leftAt = ({ left, atMs }: { readonly left: number; readonly atMs: number }, nowMs: number): number =>
  left + (nowMs - atMs) / (MINUTES_OF_PROBE * 60_000);
