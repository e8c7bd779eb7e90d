import type { Routing, Tier } from './routing.ts';

/** The share of its tier's calls that each channel gets while all of them work. */
const partsOf = ({ channels }: Tier): readonly (readonly [id: number, part: number])[] => {
  const total = channels.reduce((sum, { weight }) => sum + weight, 0);
  return channels.map(({ id, weight }) => [id, total === 0 ? 1 / channels.length : weight / total]);
};

const known = new WeakMap<Routing, ReadonlyMap<number, number>>();

/**
 * The share of the calls of its priority that a channel gets by weight, from 0 to 1: the mean over the models and
 * groups it serves. Channels that serve nothing are missing.
 */
export const weightShares = (routing: Routing): ReadonlyMap<number, number> => {
  const before = known.get(routing);
  if (before !== undefined) return before;
  const sums = new Map<number, { sum: number; count: number }>();
  for (const models of routing.tiers.values())
    for (const tiers of models.values())
      for (const [id, part] of tiers.flatMap(partsOf)) {
        const found = sums.get(id);
        if (found === undefined) sums.set(id, { sum: part, count: 1 });
        else {
          found.sum += part;
          found.count += 1;
        }
      }
  const shares = new Map([...sums].map(([id, { sum, count }]) => [id, sum / count]));
  known.set(routing, shares);
  return shares;
};
