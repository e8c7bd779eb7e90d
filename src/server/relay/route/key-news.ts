import type { OptionValues } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import { KEPT_PAUSE_SECONDS } from '#core/channel/keys/key-state.ts';
import { keyVerdict } from '#core/channel/keys/key-verdict.ts';
import type { AppError } from '#core/error.ts';
import type { RelayDeps } from '../ports.ts';

/** A failed attempt with one of a channel's keys, or its only one. */
export interface KeyAttempt {
  /** The channel with the key that was used. */
  readonly channel: Channel;
  readonly isTrial: boolean;
  /** When it began; wall clock. */
  readonly sinceMs: number;
  readonly options: OptionValues;
  /** Why a channel with a single key would be disabled. */
  readonly lastingReason: string | undefined;
}

/**
 * Reports what a failure says about the key, also to other channels that have it. What passes within a minute stays with
 * this relay.
 * @returns whether the failure is about the key, so that another key of the channel may succeed
 */
export const reportKeyFailure = (
  { keyRefused }: Pick<RelayDeps['channels'], 'keyRefused'>,
  { channel, isTrial, sinceMs, options, lastingReason }: KeyAttempt,
  error: AppError,
): boolean => {
  const verdict = keyVerdict(error) ?? (lastingReason === undefined ? undefined : 'denied');
  if (verdict === undefined) return false;
  const { retryAfterSeconds } = error;
  const passes =
    (verdict === 'limited' && (retryAfterSeconds ?? 0) <= KEPT_PAUSE_SECONDS) ||
    (verdict === 'denied' && lastingReason === undefined);
  if (!passes || isTrial)
    keyRefused({
      channelId: channel.id,
      keyId: channel.keyId,
      sinceMs,
      refusal: {
        verdict,
        reason: lastingReason ?? error.upstream?.message ?? error.message,
        retryAfterSeconds,
        mayDisable: options.AutomaticDisableChannelEnabled && channel.autoDisable,
        isLasting: lastingReason !== undefined,
        isTrial,
      },
    });
  return channel.keyId !== 0;
};
