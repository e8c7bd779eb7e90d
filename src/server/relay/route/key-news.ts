import type { OptionValues } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import { KEPT_PAUSE_SECONDS } from '#core/channel/key-state.ts';
import { keyVerdict } from '#core/channel/key-verdict.ts';
import type { AppError } from '#core/error.ts';
import type { RelayDeps } from '../ports.ts';

/** A failed attempt with one of a channel's keys. */
export interface KeyAttempt {
  /** With the key. */
  readonly channel: Channel;
  readonly isTrial: boolean;
  /** When it began; wall clock. */
  readonly sinceMs: number;
  readonly options: OptionValues;
  /** Why a channel of one key would be switched off. */
  readonly lastingReason: string | undefined;
}

/**
 * Tells what a failure says of the key. What passes within a minute is known to the relay alone.
 * @returns whether it is about the key, so that another key of the channel may do what this one could not
 */
export const tellOfKey = (
  { keyRefused }: Pick<RelayDeps['channels'], 'keyRefused'>,
  { channel, isTrial, sinceMs, options, lastingReason }: KeyAttempt,
  error: AppError,
): boolean => {
  if (channel.keyId === 0) return false;
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
  return true;
};
