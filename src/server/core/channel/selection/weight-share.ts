import { channelStatus } from '#contract/codes.ts';
import type { Routing, Tier } from '../routing.ts';

const totals = new WeakMap<Tier, number>();

/** The weight of all channels of a tier, which thousands of rows of a list ask for. */
const totalOf = (tier: Tier): number => {
  let total = totals.get(tier);
  if (total === undefined) {
    total = tier.channels.reduce((sum, { weight }) => sum + weight, 0);
    totals.set(tier, total);
  }
  return total;
};

/**
 * The share of the calls of its priority that a channel gets by weight while all of them work, from 0 to 1: the mean over
 * the models and groups it serves; undefined if it serves nothing.
 */
export const weightShare = (routing: Routing, id: number): number | undefined => {
  const channel = routing.channels.get(id);
  if (channel?.status !== channelStatus.enabled) return undefined;
  let [sum, count] = [0, 0];
  for (const group of channel.groups) {
    const models = routing.tiers.get(group);
    for (const model of channel.models) {
      const tier = models?.get(model)?.find(({ priority }) => priority === channel.priority);
      if (tier === undefined) continue;
      const total = totalOf(tier);
      sum += total === 0 ? 1 / tier.channels.length : channel.weight / total;
      count += 1;
    }
  }
  return count === 0 ? undefined : sum / count;
};
