import type { SelectInput } from '#core/channel/selection/open-channels.ts';
import type { ChannelHealth } from './channel-health.ts';

/** A call that is about to be sent somewhere. */
interface Sending {
  /** The name under which health is kept. */
  readonly model: string;
  readonly nowMs: number;
  readonly userId: number;
  /** It has been sent elsewhere, so that it has fewer attempts left. */
  readonly hasTried: boolean;
  readonly canRepeat: boolean;
}

/**
 * What a call leaves for last although it does not cool down: what has failed lately if the call has failed elsewhere,
 * else what keeps failing, unless the call may find out whether that works again.
 */
export const doubtOf = (
  health: ChannelHealth,
  { model, nowMs, userId, hasTried, canRepeat }: Sending,
): SelectInput['isDoubtful'] => {
  if (hasTried) return (channelId, keyId) => health.isDoubtful(channelId, keyId, model, nowMs);
  if (health.probes.isDue(model, nowMs, canRepeat)) return undefined;
  // Keys are left to their pool, where further attempts cost little.
  return (channelId, keyId) => keyId === 0 && health.keepsFailing(channelId, model, nowMs, userId);
};
