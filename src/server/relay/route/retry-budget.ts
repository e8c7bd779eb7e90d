import type { ShareWindow, ShareWindows } from '#core/channel/health/share-window.ts';
import type { Routing } from '#core/channel/routing.ts';

/**
 * How many calls a dead channel fails within a minute: five until it cools down, then one in each trial, after 10, 20
 * and 40 seconds. The budget allows at least so many retries, because they find out that the channel is dead, and
 * without them calls would fail while other channels work.
 */
const FAILURES_OF_DEAD_CHANNEL = 8;

/** The budget that all calls of a model in a group share for their further attempts. */
export const retryBudget = (
  { retries }: { readonly retries: ShareWindows },
  { tiers }: Pick<Routing, 'tiers'>,
  group: string,
  model: string,
): ShareWindow => {
  let channels = 0;
  for (const tier of tiers.get(group)?.get(model) ?? []) channels += tier.channels.length;
  return retries.of(`${group}\n${model}`, channels * FAILURES_OF_DEAD_CHANNEL);
};
