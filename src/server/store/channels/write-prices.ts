import { type Kysely, sql } from 'kysely';
import { type PriceOption, priceOptions, priceSettings, SECOND_PERSON } from '#contract/price-book.ts';
import { AppError } from '#core/error.ts';
import { isApproved } from '#core/price-book/approval.ts';
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

/** The stored texts of the settings that change with prices; those never set are missing. */
export const readSettings = async (from: Kysely<Schema>): Promise<ReadonlyMap<string, string>> => {
  const rows = await from.selectFrom('options').selectAll().where('key', 'in', priceSettings).execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
};

/** Whether a change of prices needs a second person. With the prices locked this stays so until the transaction ends. */
export const needsApproval = async (from: Kysely<Schema>): Promise<boolean> =>
  (await readSettings(from)).get('price_setting.second_person') === 'true';

/**
 * Checked right before prices are written, whichever command writes them: where a second person is needed, one person
 * alone changes none.
 */
export const requireApproval = async (
  transaction: Kysely<Schema>,
  { writers = [], approval }: Pick<PriceEdit, 'writers' | 'approval'>,
): Promise<void> => {
  if (!isApproved(writers, approval) && (await needsApproval(transaction)))
    throw new AppError('refused', 'a change of prices needs the approval of a second person');
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
  edit: PriceEdit,
): Promise<number> => {
  const { authorId, author, reason, nowMs, restoredFrom, writers, approval, settings = [] } = edit;
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
      writers: JSON.stringify(writers ?? (authorId === 0 ? [] : [{ id: authorId, name: author }])),
      approval: approval === undefined ? null : JSON.stringify(approval),
      settings: JSON.stringify(settings),
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
  await requireApproval(transaction, edit);
  const before = await readPriceTexts(transaction);
  await writeOptionTexts(transaction, texts);
  await writeOptionTexts(transaction, new Map((edit.settings ?? []).map(({ key, after }) => [key, after])));
  return keepVersion(transaction, before, edit);
};

/** Switches off that prices need a second person; false if they did not. */
export const endApproval = (database: Database): Promise<boolean> =>
  database.writer.transaction().execute(async (transaction) => {
    await lockPrices(transaction, database);
    const wasNeeded = await needsApproval(transaction);
    await writeOptionTexts(transaction, new Map([[SECOND_PERSON, 'false']]));
    return wasNeeded;
  });
