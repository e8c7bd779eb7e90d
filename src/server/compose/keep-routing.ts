import type { Log } from '#core/logging.ts';
import { loadPriceCatalogue } from '../control/price-catalogue.ts';
import { createRoutingKeeper } from '../control/routing-keeper.ts';
import type { Stores } from '../store/open-stores.ts';

/** The snapshot calls are routed by, and how everybody hears that it must be read again. */
export const keepRouting = async (stores: Stores, log: Log) => {
  const catalogue = await loadPriceCatalogue();
  const keeper = await createRoutingKeeper({ ...stores, catalogue, log });
  // On SQLite there is no other node, and this one has refreshed before it announces.
  if (stores.database.engine === 'postgres') {
    stores.feed.watch((kind) => {
      if (kind === 'channels' || kind === 'options')
        void keeper.refresh().catch((error) => log.error('routing', { error }));
    });
  }
  const refreshRouting = async (): Promise<void> => {
    await keeper.refresh();
    await stores.feed.announce('channels');
  };
  return { routing: keeper.current, refreshRouting };
};
