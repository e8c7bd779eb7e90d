/**
 * A probe may be one of this many attempts, or one within this many minutes; after a time without probes, a few at
 * once.
 */
const ATTEMPTS_OF_PROBE = 20;
const MINUTES_OF_PROBE = 6;
const MOST_AT_ONCE = 3;
const MODELS_MAX = 5000;

/**
 * Limits how many calls of a model are probes. Without a limit most calls would be, if there are few calls or much is
 * broken.
 */
export class Probes {
  readonly #models = new Map<string, { left: number; atMs: number }>();

  /** Whether a call may be a probe. A call that must not run twice fails if the probe does, so it counts as three. */
  isDue(model: string, nowMs: number, canRepeat = true): boolean {
    const known = this.#models.get(model);
    if (known === undefined) return canRepeat;
    return leftAt(known, nowMs) >= costOf(canRepeat);
  }

  /** Notes that an attempt begins. */
  begun(model: string, nowMs: number, isProbe: boolean, canRepeat = true): void {
    const known = this.#models.get(model);
    // Nothing needs to be remembered while nothing fails.
    if (known === undefined && !isProbe && canRepeat) return;
    const before = known ?? { left: canRepeat ? MOST_AT_ONCE : 0, atMs: nowMs };
    const left = Math.min(MOST_AT_ONCE, leftAt(before, nowMs) + 1 / ATTEMPTS_OF_PROBE);
    const cost = isProbe ? costOf(canRepeat) : 0;
    this.#models.set(model, { left: Math.max(0, left - cost), atMs: nowMs });
    if (this.#models.size <= MODELS_MAX) return;
    const [oldest] = this.#models.keys();
    if (oldest !== undefined) this.#models.delete(oldest);
  }
}

const costOf = (canRepeat: boolean): number => (canRepeat ? 1 : MOST_AT_ONCE);

const leftAt = ({ left, atMs }: { readonly left: number; readonly atMs: number }, nowMs: number): number =>
  left + (nowMs - atMs) / (MINUTES_OF_PROBE * 60_000);
