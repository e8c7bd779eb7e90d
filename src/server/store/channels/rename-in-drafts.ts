import type { Kysely } from 'kysely';
import { parsed } from '#contract/json-text.ts';
import { listOf } from '#core/json/fields.ts';
import type { PriceEntry } from '#core/price-book/price-tables.ts';
import { renamedEntry, renamedSetting, type Renaming } from '#core/token/renamed-group.ts';
import type { Schema } from '../database/schema.ts';
import { settingsOf } from './price-draft-store.ts';

/** The version of the prices before a group was renamed, and the one that has its new name. */
interface Versions {
  readonly before: number;
  readonly version: number;
}

/** The entries whose prices changed after one version, up to and including another. */
const changedNames = async (
  transaction: Kysely<Schema>,
  after: number,
  upTo: number,
): Promise<ReadonlySet<string>> => {
  if (after >= upTo) return new Set();
  const rows = await transaction
    .selectFrom('price_changes')
    .select(['option_name', 'name'])
    .where('version', '>', after)
    .where('version', '<=', upTo)
    .execute();
  return new Set(rows.map(({ option_name, name }) => `${option_name}\n${name}`));
};

/**
 * Renames a group in all drafts of prices. The renaming itself conflicts with no draft: a draft that could be published
 * before it can be published after it.
 * @returns how many drafts name the group
 */
export const renameInDrafts = async (
  transaction: Kysely<Schema>,
  renaming: Renaming,
  { before, version }: Versions,
): Promise<number> => {
  const drafts = await transaction
    .selectFrom('price_drafts')
    .select(['id', 'base', 'entries', 'may_remove', 'settings'])
    .orderBy('id')
    .execute();
  let count = 0;
  for (const { id, base, entries, may_remove, settings } of drafts) {
    const old = listOf(parsed(entries)) as readonly PriceEntry[];
    const changed = await changedNames(transaction, base, before);
    const isFree = !old.some(({ option, key }) => changed.has(`${option}\n${key}`));
    const next = {
      entries: JSON.stringify(old.map((entry) => renamedEntry(entry, renaming))),
      may_remove: JSON.stringify(
        listOf(parsed(may_remove)).map((name) => (name === renaming.from ? renaming.to : name)),
      ),
      settings: JSON.stringify(settingsOf(settings).map((setting) => renamedSetting(setting, renaming))),
    };
    const names = next.entries !== entries || next.may_remove !== may_remove || next.settings !== settings;
    if (names) count += 1;
    await transaction
      .updateTable('price_drafts')
      .set((is) => ({
        ...next,
        base: isFree ? version : base,
        revision: names ? is('revision', '+', 1) : is.ref('revision'),
      }))
      .where('id', '=', id)
      .execute();
  }
  return count;
};
