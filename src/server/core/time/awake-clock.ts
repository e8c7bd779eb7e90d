/**
 * Counts only the time in which this process could receive data. One interval calls `look`; each look adds at most two
 * intervals, so a stall of our own process never counts as silence of the other side.
 */
export class AwakeClock {
  readonly #mostMs: number;
  #lookedAtMs: number;
  /** The time counted so far. */
  nowMs: number;

  constructor(everyMs: number, lookedAtMs: number, nowMs = 0) {
    this.#mostMs = everyMs * 2;
    this.#lookedAtMs = lookedAtMs;
    this.nowMs = nowMs;
  }

  /** @param nowMs monotonic */
  look(nowMs: number): void {
    this.nowMs += Math.min(Math.max(nowMs - this.#lookedAtMs, 0), this.#mostMs);
    this.#lookedAtMs = nowMs;
  }
}
