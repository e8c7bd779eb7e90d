import { createOptions, type OptionDeps } from '../control/site/options.ts';
import { createRenameGroup, type RenameGroupDeps } from '../control/site/rename-group.ts';
import { createPriceBook } from '../control/wallet/book/price-book.ts';
import { createPriceDrafts, type PriceBookDeps } from '../control/wallet/book/price-drafts.ts';
import { askForSettings } from '../control/wallet/book/price-settings.ts';
import { createPricePreviews, type PreviewDeps } from '../control/wallet/price-preview.ts';
import type { DatabaseConfig } from '../store/database/database.ts';
import type { Stores } from '../store/open-stores.ts';
import { createPreviewThreads } from './preview-threads.ts';
import { createReconcileThreads } from './reconcile-threads.ts';
import { createPriceSync, type PriceSyncDeps } from '../control/wallet/price-sync.ts';

/**
 * Price changes: drafts, previews and versions; the options, some of which are prices; and files of upstreams to
 * compare.
 */
export const composePrices = (
  parts: PriceBookDeps &
    Omit<OptionDeps, 'askForPrices'> &
    Omit<PreviewDeps, 'chargeAgain'> &
    PriceSyncDeps &
    RenameGroupDeps &
    Pick<Stores, 'pricedCalls'>,
  database: DatabaseConfig,
) => ({
  options: createOptions({
    ...parts,
    askForPrices: (editor, what) => askForSettings(parts, editor, what),
  }),
  renameGroup: createRenameGroup(parts),
  prices: createPriceBook(parts),
  priceDrafts: createPriceDrafts(parts),
  pricePreviews: createPricePreviews({
    ...parts,
    chargeAgain: createPreviewThreads(database, parts.pricedCalls),
  }),
  priceSync: createPriceSync(parts),
  compareFile: createReconcileThreads(database),
});
