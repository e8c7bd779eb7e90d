import type { OptionStore } from '#core/option/option-store.ts';
import type { Database } from '../database/database.ts';

/** Saving one of these starts a new price version. */
const PRICE_OPTIONS: ReadonlySet<string> = new Set([
  'ModelRatio',
  'CompletionRatio',
  'ModelPrice',
  'CacheRatio',
  'CreateCacheRatio',
  'tool_price_setting.prices',
  'PriceDimensions',
  'GroupRatio',
  'GroupGroupRatio',
]);

const setAll = (database: Database, changes: ReadonlyMap<string, string>, nowMs: number): Promise<void> =>
  database.writer.transaction().execute(async (transaction) => {
    for (const [key, value] of changes)
      await transaction
        .insertInto('options')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    if (![...changes.keys()].some((key) => PRICE_OPTIONS.has(key))) return;
    const rows = await transaction
      .selectFrom('options')
      .selectAll()
      .where('key', 'in', [...PRICE_OPTIONS])
      .execute();
    const prices = JSON.stringify(Object.fromEntries(rows.map((row) => [row.key, row.value])));
    await transaction.insertInto('price_versions').values({ prices, created_at: nowMs }).execute();
  });

/** Options in the database. */
export const createOptionStore = (database: Database): OptionStore => ({
  all: async () => {
    const rows = await database.writer.selectFrom('options').selectAll().execute();
    return new Map(rows.map(({ key, value }) => [key, value]));
  },
  set: (key, value, nowMs) => setAll(database, new Map([[key, value]]), nowMs),
  setAll: (changes, nowMs) => setAll(database, changes, nowMs),
  priceVersion: async () => {
    const row = await database.writer
      .selectFrom('price_versions')
      .select('version')
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.version ?? 0;
  },
});
