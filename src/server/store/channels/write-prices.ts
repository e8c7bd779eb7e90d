import { type Kysely, sql } from 'kysely';
import { type PriceOption, priceOptions } from '#contract/price-book.ts';
import { afterOthers } from '#core/time/after-others.ts';
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

/** The rows that fit into one statement on either engine. */
const ROWS_AT_ONCE = 1000;

/** Locks the prices until the transaction ends. SQLite has only one writer, so it needs no lock. */
export const lockPrices = async (
  transaction: Kysely<Schema>,
  { engine }: Pick<Database, 'engine'>,
): Promise<void> => {
  if (engine === 'postgres')
    await sql`LOCK TABLE price_versions IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
};

/** The stored texts of the price options; those never set are missing. */
export const readPriceTexts = async (from: Kysely<Schema>): Promise<PriceTexts> => {
  const rows = await from.selectFrom('options').selectAll().where('key', 'in', priceOptions).execute();
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
};

/** The current price version; each change increases it by one. */
export const readPriceVersion = async (from: Kysely<Schema>): Promise<number> => {
  const row = await from
    .selectFrom('price_versions')
    .select('version')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? 0;
};

/** Stores option texts, replacing the previous ones. */
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

/** Stores the current prices as the next version, with what changed since the previous one. */
export const keepVersion = async (
  transaction: Kysely<Schema>,
  before: PriceTexts,
  { authorId, author, reason, nowMs, restoredFrom }: PriceEdit,
): Promise<number> => {
  const after = await readPriceTexts(transaction);
  // Reading a table of many thousand names takes milliseconds: other calls run in between.
  const old = tablesOf(before);
  await afterOthers();
  const next = tablesOf(after);
  await afterOthers();
  const changed = changesBetween(old, next);
  await afterOthers();
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

/** Writes price options as the next version. */
export const writePrices = async (
  transaction: Kysely<Schema>,
  texts: ReadonlyMap<PriceOption, string>,
  edit: PriceEdit,
): Promise<number> => {
  const before = await readPriceTexts(transaction);
  await writeOptionTexts(transaction, texts);
  return keepVersion(transaction, before, edit);
};
