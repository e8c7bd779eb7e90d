import type { HouseCostStore } from '../cost/house-cost-store.ts';
import type { Ledger } from './ledger.ts';

/** What the holds of ended processes are closed with. */
export interface AbandonedDeps {
  readonly ledger: Pick<Ledger, 'resolveAbandoned'>;
  readonly houseCosts: Pick<HouseCostStore, 'add'>;
}

/**
 * Closes abandoned holds. Their calls are also counted as calls of unknown cost, because nobody knows what their
 * upstreams produced beyond the charge. @returns how many holds were closed
 */
export const closeAbandoned = async (
  { ledger, houseCosts }: AbandonedDeps,
  before: Parameters<Ledger['resolveAbandoned']>[0],
  nowMs: number,
): Promise<number> => {
  const calls = await ledger.resolveAbandoned(before);
  if (calls > 0)
    await houseCosts.add({ channelId: 0, kind: 'killed', atMs: nowMs, costNano: undefined, calls });
  return calls;
};
