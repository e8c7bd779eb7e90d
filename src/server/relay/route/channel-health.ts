import {
  afterFailure,
  countsAgainstChannel,
  type Health,
  healthy,
  isCooling,
  isTrial,
  trialBegun,
} from '#core/channel/health.ts';
import { keyVerdict } from '#core/channel/key-verdict.ts';
import type { AppError } from '#core/error.ts';

/** A channel, and which of its keys; 0 for its only one, or for all. */
export interface SeatId {
  readonly id: number;
  readonly keyId: number;
}

/** Ids of keys are unique among all channels; even numbers are channels, odd ones keys. */
const numberOf = ({ id, keyId }: SeatId): number => (keyId === 0 ? id * 2 : keyId * 2 + 1);

/** The health of channels and of the keys of pools, as seen by this process. */
export class ChannelHealth {
  /** Channels and keys that failed lately. */
  readonly #states = new Map<number, Health>();
  /** When each channel last answered; monotonic. */
  readonly #answeredAtMs = new Map<number, number>();

  isCooling(id: number, keyId: number, nowMs: number): boolean {
    const health = this.#states.get(numberOf({ id, keyId }));
    return health !== undefined && isCooling(health, nowMs);
  }

  /** A call is sent to this channel; if the channel or the key was cooling down, this call is its trial. */
  chosen(seat: SeatId, nowMs: number): void {
    this.#begun(numberOf({ id: seat.id, keyId: 0 }), nowMs);
    if (seat.keyId !== 0) this.#begun(numberOf(seat), nowMs);
  }

  #begun(number: number, nowMs: number): void {
    const health = this.#states.get(number);
    if (health !== undefined && isTrial(health, nowMs)) this.#states.set(number, trialBegun(health, nowMs));
  }

  /**
   * A call that began at `startedMs` failed. What is about one key of several counts against that key, all else against the
   * channel. If it timed out and the channel answered no other call meanwhile, this one failure is enough to cool the
   * channel down, so that the next calls need not wait as long.
   */
  failed({ id, keyId }: SeatId, error: AppError, startedMs: number, nowMs: number): void {
    if (!countsAgainstChannel(error)) return;
    const number = numberOf({ id, keyId: keyVerdict(error) === undefined ? 0 : keyId });
    const health = this.#states.get(number) ?? healthy;
    const answeredAtMs = this.#answeredAtMs.get(id) ?? -Infinity;
    const wasSilent = error.code === 'upstream_timeout' && answeredAtMs < startedMs;
    this.#states.set(number, afterFailure(health, nowMs, error.retryAfterSeconds, wasSilent));
  }

  succeeded(seat: SeatId, nowMs: number): void {
    this.#answeredAtMs.set(seat.id, nowMs);
    if (this.#states.size === 0) return;
    this.#states.delete(numberOf({ id: seat.id, keyId: 0 }));
    this.#states.delete(numberOf(seat));
  }
}
