import { type Kysely, sql } from 'kysely';
import { priceOptions, priceSettings, SAVED_SETTINGS } from '#contract/price-book.ts';
import type { OptionAuthor, OptionStore } from '#core/option/option-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import {
  keepVersion,
  lockPrices,
  readPriceTexts,
  readPriceVersion,
  requireApproval,
  writeOptionTexts,
} from './write-prices.ts';

const PRICE_OPTIONS: ReadonlySet<string> = new Set(priceOptions);
const PRICE_SETTINGS: ReadonlySet<string> = new Set(priceSettings);
const NOBODY: OptionAuthor = { id: 0, name: '' };

type Texts = ReadonlyMap<string, string | undefined>;

/** Whether these texts are stored. They stay until the transaction ends; SQLite has only one writer. */
const areStored = async (
  transaction: Kysely<Schema>,
  { engine }: Pick<Database, 'engine'>,
  texts: Texts,
): Promise<boolean> => {
  if (texts.size === 0) return true;
  if (engine === 'postgres') await sql`LOCK TABLE options IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
  const rows = await transaction
    .selectFrom('options')
    .selectAll()
    .where('key', 'in', [...texts.keys()])
    .execute();
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  return texts.entries().every(([key, text]) => stored.get(key) === text);
};

const setAll = (
  database: Database,
  changes: ReadonlyMap<string, string>,
  nowMs: number,
  { id, name }: OptionAuthor = NOBODY,
  asRead: Texts = new Map(),
): Promise<boolean> =>
  database.writer.transaction().execute(async (transaction) => {
    const hasPrices = [...changes.keys()].some((key) => PRICE_OPTIONS.has(key));
    const isGuarded = hasPrices || [...changes.keys()].some((key) => PRICE_SETTINGS.has(key));
    if (isGuarded) await lockPrices(transaction, database);
    if (!(await areStored(transaction, database, asRead))) return false;
    if (isGuarded) await requireApproval(transaction, {});
    if (!hasPrices) {
      await writeOptionTexts(transaction, changes);
      return true;
    }
    const before = await readPriceTexts(transaction);
    await writeOptionTexts(transaction, changes);
    await keepVersion(transaction, before, { authorId: id, author: name, reason: SAVED_SETTINGS, nowMs });
    return true;
  });

/** Options in the database. */
export const createOptionStore = (database: Database): OptionStore => ({
  all: async () => {
    const rows = await database.writer.selectFrom('options').selectAll().execute();
    return new Map(rows.map(({ key, value }) => [key, value]));
  },
  set: async (key, value, nowMs) => void (await setAll(database, new Map([[key, value]]), nowMs)),
  setAll: (changes, nowMs, author, asRead) => setAll(database, changes, nowMs, author, asRead),
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
