import type { SelectInput } from '#core/channel/selection/open-channels.ts';
import type { ChannelHealth } from './channel-health.ts';

/** A call that is about to be sent somewhere. */
interface Sending {
  /** The name under which the model's health is stored. */
  readonly model: string;
  readonly nowMs: number;
  readonly userId: number;
  /** It was already sent elsewhere, so it has fewer attempts left. */
  readonly hasTried: boolean;
  readonly canRepeat: boolean;
}

/**
 * The channels and keys that a call leaves for last although they do not cool down. If the call has failed elsewhere,
 * these are all that failed lately. Otherwise these are the channels that keep failing, unless the call may probe one.
 */
export const doubtOf = (
  health: ChannelHealth,
  { model, nowMs, userId, hasTried, canRepeat }: Sending,
): SelectInput['isDoubtful'] => {
  if (hasTried) return (channelId, keyId) => health.isDoubtful(channelId, keyId, model, nowMs);
  if (health.probes.isDue(model, nowMs, canRepeat)) return undefined;
  // Keys are not avoided here: a pool has others, and trying one of those costs little.
  return (channelId, keyId) => keyId === 0 && health.keepsFailing(channelId, model, nowMs, userId);
};
