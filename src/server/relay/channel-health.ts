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

/** How channels are doing, as this process has seen it. Only channels that failed lately take any room. */
export class ChannelHealth {
  readonly #states = new Map<number, Health>();

  isCooling(channelId: number, nowMs: number): boolean {
    const health = this.#states.get(channelId);
    return health !== undefined && isCooling(health, nowMs);
  }

  /** A call goes to this channel: where it had cooled down, this is its trial. */
  chosen(channelId: number, nowMs: number): void {
    const health = this.#states.get(channelId);
    if (health !== undefined && isTrial(health, nowMs))
      this.#states.set(channelId, trialBegun(health, nowMs));
  }

  failed(channelId: number, error: AppError, nowMs: number): void {
    if (!countsAgainstChannel(error)) return;
    const health = this.#states.get(channelId) ?? healthy;
    this.#states.set(channelId, afterFailure(health, nowMs, error.retryAfterSeconds));
  }

  succeeded(channelId: number): void {
    if (this.#states.size > 0) this.#states.delete(channelId);
  }
}
