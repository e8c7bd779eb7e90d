// Stands alone: compose-control.ts is as long as a file may be.
import { createPriceBook } from '../control/wallet/price-book.ts';
import { createPriceDrafts, type PriceBookDeps } from '../control/wallet/price-drafts.ts';
import { createPricePreviews, type PreviewDeps } from '../control/wallet/price-preview.ts';
import type { DatabaseConfig } from '../store/database/database.ts';
import type { Stores } from '../store/open-stores.ts';
import { createPreviewThreads } from './preview-threads.ts';
import { createPriceSync, type PriceSyncDeps } from '../control/wallet/price-sync.ts';

/** Price changes: drafts, previews and versions. */
export const composePrices = (
  parts: PriceBookDeps & Omit<PreviewDeps, 'chargeAgain'> & PriceSyncDeps & Pick<Stores, 'pricedCalls'>,
  database: DatabaseConfig,
) => ({
  prices: createPriceBook(parts),
  priceDrafts: createPriceDrafts(parts),
  pricePreviews: createPricePreviews({
    ...parts,
    chargeAgain: createPreviewThreads(database, parts.pricedCalls),
  }),
  priceSync: createPriceSync(parts),
});
