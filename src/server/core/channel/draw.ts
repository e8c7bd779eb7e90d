import type { Channel } from './channel.ts';

type Weighed = Pick<Channel, 'weight'>;

/**
 * Draws one of `channels` by weight, in proportion to its share of the sum; if all weights are 0, all are equally
 * likely. A channel of weight 0 beside others with weight is drawn only when those are used up.
 */
export const draw = <One extends Weighed>(channels: readonly One[], dice: number): One | undefined => {
  const total = channels.reduce((sum, channel) => sum + channel.weight, 0);
  if (total === 0) return channels[Math.floor(dice * channels.length)];
  let rest = dice * total;
  for (const channel of channels) {
    rest -= channel.weight;
    if (rest < 0) return channel;
  }
  return channels.findLast((channel) => channel.weight > 0);
};

/** How likely `draw` takes each of them, from 0 to 1. */
export const chancesOf = (channels: readonly Weighed[]): readonly number[] => {
  const total = channels.reduce((sum, { weight }) => sum + weight, 0);
  return channels.map(({ weight }) => (total === 0 ? 1 / channels.length : weight / total));
};
