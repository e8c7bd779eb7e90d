import type { ShareWindow, ShareWindows } from '#core/channel/health/share-window.ts';
import type { Routing } from '#core/channel/routing.ts';

/**
 * How often a channel that has died fails calls within a minute: five times until it cools down, then in its trials, after
 * 10, 20 and 40 seconds. So many retries find out that it is dead; refused, they would fail calls while others work.
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
