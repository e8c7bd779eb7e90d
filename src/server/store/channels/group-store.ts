import { type Kysely, sql } from 'kysely';
import { commaList } from '#contract/text.ts';
import { isOptionKey, optionRow, optionText } from '#contract/options.ts';
import { optionsWithGroups } from '#contract/options/groups-named.ts';
import { type PriceOption, priceOptions, priceSettings } from '#contract/price-book.ts';
import { parsed } from '#contract/json-text.ts';
import { fieldsOf } from '#core/json/fields.ts';
import type { SettingChange } from '#core/price-book/approval.ts';
import type { PriceEdit } from '#core/price-book/price-book-store.ts';
import type { GroupStore, RenamedGroup } from '#core/token/group-store.ts';
import { renamedChannelSetting, renamedList, renamedText, type Renaming } from '#core/token/renamed-group.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { likePattern } from '../database/search.ts';
import { renameInDrafts } from './rename-in-drafts.ts';
import { lockPrices, readPriceVersion, writeOptionTexts, writePrices } from './write-prices.ts';

type Engine = Pick<Database, 'engine'>;

const PRICE_OPTIONS: ReadonlySet<string> = new Set(priceOptions);
const PRICE_SETTINGS: ReadonlySet<string> = new Set(priceSettings);

/** Locks what is read here until the transaction ends. SQLite has only one writer, so it needs no lock. */
const lockOptions = async (transaction: Kysely<Schema>, { engine }: Engine): Promise<void> => {
  if (engine === 'postgres') await sql`LOCK TABLE options IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
};

/** The stored texts of the options that name groups, and those that were never stored. */
const readTexts = async (transaction: Kysely<Schema>): Promise<ReadonlyMap<string, string>> => {
  const rows = await transaction
    .selectFrom('options')
    .selectAll()
    .where('key', 'in', optionsWithGroups)
    .execute();
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  return new Map(
    optionsWithGroups.map((key) => [key, stored.get(key) ?? optionText(optionRow(key).initial)]),
  );
};

/** Writes the options that name the group. Those that decide prices become the next version of the prices. */
const renameInOptions = async (
  transaction: Kysely<Schema>,
  before: ReadonlyMap<string, string>,
  renaming: Renaming,
  edit: PriceEdit,
): Promise<number> => {
  const changed = [...before].flatMap(([key, text]) => {
    const after = isOptionKey(key) ? renamedText(key, text, renaming) : text;
    return after === text ? [] : [{ key, before: text, after }];
  });
  const of = (names: ReadonlySet<string>) => changed.filter(({ key }) => names.has(key));
  const others = changed.filter(({ key }) => !PRICE_OPTIONS.has(key) && !PRICE_SETTINGS.has(key));
  await writeOptionTexts(transaction, new Map(others.map(({ key, after }) => [key, after])));
  const texts = new Map(of(PRICE_OPTIONS).map(({ key, after }) => [key as PriceOption, after]));
  const settings = of(PRICE_SETTINGS) as readonly SettingChange[];
  return writePrices(transaction, texts, { ...edit, settings });
};

/**
 * Renames a group where a table has it in a column of its own. Rows are locked in the order of their ids, as the ledger
 * locks them. @returns how many living rows there were
 */
const renameRows = async (
  transaction: Kysely<Schema>,
  { engine }: Engine,
  table: 'users' | 'tokens',
  { from, to }: Renaming,
): Promise<number> => {
  const rows = transaction
    .selectFrom(table)
    .select(['id', 'deleted_at'])
    .where('group_name', '=', from)
    .orderBy('id');
  const found = await (engine === 'postgres' ? rows.forNoKeyUpdate() : rows).execute();
  await transaction.updateTable(table).set({ group_name: to }).where('group_name', '=', from).execute();
  return found.filter(({ deleted_at }) => deleted_at === null).length;
};

/** The channels in whose list or rules a name might be, in the order of their ids. */
const channelsNaming = (transaction: Kysely<Schema>, name: string) => {
  const has = (column: 'groups' | 'setting', text: string) =>
    sql<boolean>`${sql.ref(column)} LIKE ${likePattern(text, 'anywhere')} ESCAPE '\\'`;
  return transaction
    .selectFrom('channels')
    .select(['id', 'groups', 'setting'])
    .where((is) => is.or([has('groups', name), has('setting', JSON.stringify(name))]))
    .orderBy('id');
};

const renameInChannels = async (
  transaction: Kysely<Schema>,
  { engine }: Engine,
  renaming: Renaming,
): Promise<number> => {
  let count = 0;
  const rows = channelsNaming(transaction, renaming.from);
  const found = await (engine === 'postgres' ? rows.forNoKeyUpdate() : rows).execute();
  for (const { id, groups, setting } of found) {
    const next = {
      groups: renamedList(groups, renaming),
      setting: renamedChannelSetting(setting, renaming),
    };
    if (next.groups !== groups) count += 1;
    if (next.groups !== groups || next.setting !== setting)
      await transaction.updateTable('channels').set(next).where('id', '=', id).execute();
  }
  return count;
};

/** Whether accounts, tokens or channels name a group that does not exist: they would join the renamed one. */
const isNamed = async (transaction: Kysely<Schema>, name: string): Promise<boolean> => {
  for (const table of ['users', 'tokens'] as const) {
    const rows = transaction.selectFrom(table).select('id').where('group_name', '=', name).limit(1);
    if ((await rows.where('deleted_at', 'is', null).executeTakeFirst()) !== undefined) return true;
  }
  const channels = await channelsNaming(transaction, name).execute();
  return channels.some(({ groups }) => commaList(groups).includes(name));
};

const rename = (
  database: Database,
  renaming: Renaming,
  edit: PriceEdit,
): Promise<RenamedGroup | 'missing' | 'exists' | 'used'> =>
  database.writer.transaction().execute(async (transaction) => {
    await lockPrices(transaction, database);
    await lockOptions(transaction, database);
    const texts = await readTexts(transaction);
    const groups = fieldsOf(parsed(texts.get('GroupRatio') ?? ''));
    if (!Object.hasOwn(groups, renaming.from)) return 'missing';
    if (Object.hasOwn(groups, renaming.to)) return 'exists';
    if (await isNamed(transaction, renaming.to)) return 'used';
    const before = await readPriceVersion(transaction);
    const version = await renameInOptions(transaction, texts, renaming, edit);
    const drafts = await renameInDrafts(transaction, renaming, { before, version });
    // In the order in which the ledger locks them.
    const users = await renameRows(transaction, database, 'users', renaming);
    const tokens = await renameRows(transaction, database, 'tokens', renaming);
    const channels = await renameInChannels(transaction, database, renaming);
    return { version, users, tokens, channels, drafts };
  });

/** Groups in the database. */
export const createGroupStore = (database: Database): GroupStore => ({
  rename: (renaming, edit) => rename(database, renaming, edit),
});
