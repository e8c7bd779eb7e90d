/**
 * The time in which this process could hear somebody. Looked at by one interval, it goes on by at most two of it at each
 * look: how long the process itself stood still counts for nobody's silence.
 */
export class AwakeClock {
  readonly #mostMs: number;
  #lookedAtMs: number;
  /** What has been counted so far. */
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
