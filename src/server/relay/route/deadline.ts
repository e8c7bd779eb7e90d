import type { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../destination.ts';
import type { Tries } from './tries.ts';

/** The most channels a call asks because others were silent. */
const MOST_HURRIES = 5;

/** How long the newest attempt of a call may be silent before another channel is asked. */
export class Deadline {
  readonly #probeMs: number | undefined;
  /** For any attempt; undefined without a deadline, or once no other channel was open. */
  #hasteMs: number | undefined;
  #ms: number | undefined;
  /** When to look again at channels that were all full. */
  #againAtMs = 0;
  #hurriesLeft = MOST_HURRIES;

  constructor({ isFree, haste, probeMs }: Pick<Tries<unknown, Chosen>, 'isFree' | 'haste' | 'probeMs'>) {
    this.#hasteMs = isFree ? haste?.deadlineMs : undefined;
    this.#probeMs = isFree ? probeMs : undefined;
  }

  /** Sets it for an attempt that begins, or that is the only one left. */
  set({ isProbe }: Pick<LiveAttempt<Chosen>, 'isProbe'>): void {
    const ms = isProbe && this.#probeMs !== undefined ? this.#probeMs : Infinity;
    const leastMs = Math.min(ms, this.#hasteMs ?? Infinity);
    this.#ms = this.#hurriesLeft > 0 && leastMs < Infinity ? leastMs : undefined;
  }

  /** When an attempt that began then is late; undefined if it has all the time it needs. */
  lateAtMs(startedMs: number): number | undefined {
    return this.#ms === undefined ? undefined : Math.max(startedMs + this.#ms, this.#againAtMs);
  }

  /** Takes it away while another channel is looked for. @returns how long it was */
  passed(): number {
    const ms = this.#ms ?? 0;
    this.#ms = undefined;
    return ms;
  }

  /** Sets it again, but not before this time. */
  again(ms: number, againAtMs = 0): void {
    this.#ms = ms;
    this.#againAtMs = Math.max(this.#againAtMs, againAtMs);
  }

  /** Notes that no other channel is open. */
  end(): void {
    this.#hasteMs = undefined;
  }

  /** Notes that another attempt begins because of it. */
  used(): void {
    this.#hurriesLeft -= 1;
  }
}
