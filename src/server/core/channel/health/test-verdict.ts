import { channelStatus } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { AppError } from '../../error.ts';
import type { Channel } from '../channel.ts';
import { disableReason } from './blame.ts';

/** The result of a channel test. */
export interface TestOutcome {
  readonly responseTimeMs: number;
  /** The error; undefined if the channel works. */
  readonly error: AppError | undefined;
}

/** What a channel test leads to; times in seconds, as operators set them. */
export type TestVerdict =
  | { readonly action: 'none' | 'enable' }
  | { readonly action: 'disable'; readonly reason: string }
  | { readonly action: 'disable-slow'; readonly seconds: number; readonly limit: number };

type VerdictOptions = Pick<
  OptionValues,
  | 'AutomaticDisableChannelEnabled'
  | 'AutomaticDisableKeywords'
  | 'AutomaticEnableChannelEnabled'
  | 'ChannelDisableThreshold'
>;

/**
 * What the test of all channels does with each: disables it if its error is permanent or it took longer than the
 * threshold; enables it if it was auto-disabled and now works within the threshold.
 */
export const testVerdict = (
  channel: Pick<Channel, 'status' | 'autoDisable'>,
  { error, responseTimeMs }: TestOutcome,
  options: VerdictOptions,
): TestVerdict => {
  const limit = options.ChannelDisableThreshold;
  const isSlow = limit > 0 && responseTimeMs > limit * 1000;
  if (channel.status === channelStatus.autoDisabled) {
    const works = error === undefined && !isSlow;
    return { action: works && options.AutomaticEnableChannelEnabled ? 'enable' : 'none' };
  }
  if (channel.status !== channelStatus.enabled || !channel.autoDisable) return { action: 'none' };
  if (error !== undefined) {
    const reason = disableReason(error, options);
    return reason === undefined ? { action: 'none' } : { action: 'disable', reason };
  }
  if (!isSlow || !options.AutomaticDisableChannelEnabled) return { action: 'none' };
  return { action: 'disable-slow', seconds: responseTimeMs / 1000, limit };
};
