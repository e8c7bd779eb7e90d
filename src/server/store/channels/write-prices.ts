import { type Kysely, sql } from 'kysely';
import { type PriceOption, priceOptions } from '#contract/price-book.ts';
import type { PriceEdit } from '#core/price-book/price-book-store.ts';
import {
  changesBetween,
  type PriceTexts,
  type PriceValue,
  stableText,
  tablesOf,
} from '#core/price-book/price-tables.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** So many rows fit into one statement of either engine. */
const ROWS_AT_ONCE = 1000;

/** Until the transaction ends nobody else writes prices. SQLite has one writer anyway. */
export const lockPrices = async (
  transaction: Kysely<Schema>,
  { engine }: Pick<Database, 'engine'>,
): Promise<void> => {
  if (engine === 'postgres')
    await sql`LOCK TABLE price_versions IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
};

/** The stored texts of the options that are prices; those never set are missing. */
export const readPriceTexts = async (from: Kysely<Schema>): Promise<PriceTexts> => {
  const rows = await from.selectFrom('options').selectAll().where('key', 'in', priceOptions).execute();
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
};

/** The version of the prices that count now; it grows by one with each change. */
export const readPriceVersion = async (from: Kysely<Schema>): Promise<number> => {
  const row = await from
    .selectFrom('price_versions')
    .select('version')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? 0;
};

/** Stores texts of options, each in place of the one before. */
export const writeOptionTexts = async (
  transaction: Kysely<Schema>,
  texts: ReadonlyMap<string, string>,
): Promise<void> => {
  for (const [key, value] of texts)
    await transaction
      .insertInto('options')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
};

/** Keeps the prices as they are now as the next version, with what differs from those before. */
export const keepVersion = async (
  transaction: Kysely<Schema>,
  before: PriceTexts,
  { authorId, author, reason, nowMs, restoredFrom }: PriceEdit,
): Promise<number> => {
  const after = await readPriceTexts(transaction);
  const changed = changesBetween(tablesOf(before), tablesOf(after));
  const { version } = await transaction
    .insertInto('price_versions')
    .values({
      prices: JSON.stringify(after),
      created_at: nowMs,
      author_id: authorId,
      author,
      reason,
      changes: changed.length,
      restored_from: restoredFrom ?? null,
    })
    .returning('version')
    .executeTakeFirstOrThrow();
  const rows = changed.map((change) => ({
    version,
    option_name: change.option,
    name: change.key,
    before: kept(change.before),
    after: kept(change.after),
  }));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await transaction
      .insertInto('price_changes')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute();
  return version;
};

const kept = (value: PriceValue): string | null => (value === null ? null : stableText(value));

/** Writes price options, as the next version. */
export const writePrices = async (
  transaction: Kysely<Schema>,
  texts: ReadonlyMap<PriceOption, string>,
  edit: PriceEdit,
): Promise<number> => {
  const before = await readPriceTexts(transaction);
  await writeOptionTexts(transaction, texts);
  return keepVersion(transaction, before, edit);
};
