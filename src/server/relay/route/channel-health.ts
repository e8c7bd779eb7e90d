import {
  afterFailure,
  countsAgainstChannel,
  type Health,
  healthy,
  isCooling,
  isTrial,
  trialBegun,
} from '#core/channel/health.ts';
import type { AppError } from '#core/error.ts';

/** The health of channels, as seen by this process. */
export class ChannelHealth {
  /** Channels that failed lately. */
  readonly #states = new Map<number, Health>();
  /** When each channel last answered; monotonic. */
  readonly #answeredAtMs = new Map<number, number>();

  isCooling(channelId: number, nowMs: number): boolean {
    const health = this.#states.get(channelId);
    return health !== undefined && isCooling(health, nowMs);
  }

  /** A call is sent to this channel; if the channel was cooling down, this call is its trial. */
  chosen(channelId: number, nowMs: number): void {
    const health = this.#states.get(channelId);
    if (health !== undefined && isTrial(health, nowMs))
      this.#states.set(channelId, trialBegun(health, nowMs));
  }

  /**
   * A call that began at `startedMs` failed. If it timed out and the channel answered no other call meanwhile, this one
   * failure is enough to cool the channel down, so that the next calls need not wait as long.
   */
  failed(channelId: number, error: AppError, startedMs: number, nowMs: number): void {
    if (!countsAgainstChannel(error)) return;
    const health = this.#states.get(channelId) ?? healthy;
    const answeredAtMs = this.#answeredAtMs.get(channelId) ?? -Infinity;
    const wasSilent = error.code === 'upstream_timeout' && answeredAtMs < startedMs;
    this.#states.set(channelId, afterFailure(health, nowMs, error.retryAfterSeconds, wasSilent));
  }

  succeeded(channelId: number, nowMs: number): void {
    this.#answeredAtMs.set(channelId, nowMs);
    if (this.#states.size > 0) this.#states.delete(channelId);
  }
}
