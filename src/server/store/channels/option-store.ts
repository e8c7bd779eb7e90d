import { priceOptions } from '#contract/price-book.ts';
import type { OptionAuthor, OptionStore } from '#core/option/option-store.ts';
import type { Database } from '../database/database.ts';
import {
  keepVersion,
  lockPrices,
  readPriceTexts,
  readPriceVersion,
  writeOptionTexts,
} from './write-prices.ts';

const PRICE_OPTIONS: ReadonlySet<string> = new Set(priceOptions);
/** The reason stored with a price version that was saved in the settings. */
const REASON = 'settings';
const NOBODY: OptionAuthor = { id: 0, name: '' };

const setAll = (
  database: Database,
  changes: ReadonlyMap<string, string>,
  nowMs: number,
  { id, name }: OptionAuthor = NOBODY,
): Promise<void> =>
  database.writer.transaction().execute(async (transaction) => {
    if (![...changes.keys()].some((key) => PRICE_OPTIONS.has(key)))
      return writeOptionTexts(transaction, changes);
    await lockPrices(transaction, database);
    const before = await readPriceTexts(transaction);
    await writeOptionTexts(transaction, changes);
    await keepVersion(transaction, before, { authorId: id, author: name, reason: REASON, nowMs });
  });

/** Options in the database. */
export const createOptionStore = (database: Database): OptionStore => ({
  all: async () => {
    const rows = await database.writer.selectFrom('options').selectAll().execute();
    return new Map(rows.map(({ key, value }) => [key, value]));
  },
  set: (key, value, nowMs) => setAll(database, new Map([[key, value]]), nowMs),
  setAll: (changes, nowMs, author) => setAll(database, changes, nowMs, author),
  priceVersion: () => readPriceVersion(database.writer),
  pricesUntilMs: async () => {
    const row = await database.writer
      .selectFrom('price_drafts')
      .select((is) => is.fn.min('due_at').as('first'))
      .where('state', '=', 'due')
      .executeTakeFirst();
    return row?.first === null || row?.first === undefined ? undefined : Number(row.first);
  },
});
