import { type Kysely, type Selectable, sql } from 'kysely';
import type { PriceOption } from '#contract/price-book.ts';
import { parsed } from '#contract/json-text.ts';
import type { OpenBook, PriceBookStore, PriceVersion } from '#core/price-book/price-book-store.ts';
import {
  type PriceChange,
  type PriceTexts,
  type PriceValue,
  stableText,
} from '#core/price-book/price-tables.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { offsetOf } from '../database/search.ts';
import {
  changeDraft,
  createDraft,
  draftsIn,
  findDraft,
  lockDraft,
  peopleOf,
  settingsOf,
  verdictOf,
} from './price-draft-store.ts';
import {
  endApproval,
  lockPrices,
  needsApproval,
  readPriceTexts,
  readPriceVersion,
  readSettings,
  writePrices,
} from './write-prices.ts';

type ChangeRow = Selectable<Schema['price_changes']>;

const versionColumns = [
  'version',
  'created_at',
  'author',
  'reason',
  'changes',
  'restored_from',
  'writers',
  'approval',
  'settings',
] as const;

const versionOf = (
  row: Pick<Selectable<Schema['price_versions']>, (typeof versionColumns)[number]>,
): PriceVersion => ({
  version: row.version,
  createdAtMs: row.created_at,
  author: row.author,
  reason: row.reason,
  changes: row.changes ?? undefined,
  restoredFrom: row.restored_from ?? undefined,
  writers: peopleOf(row.writers),
  approval: verdictOf(row.approval),
  settings: settingsOf(row.settings),
});

const valueOf = (text: string | null): PriceValue =>
  text === null ? null : ((parsed(text) ?? null) as PriceValue);

const changeOf = ({ option_name, name, before, after }: Omit<ChangeRow, 'version'>): PriceChange => ({
  option: option_name as PriceOption,
  key: name,
  before: valueOf(before),
  after: valueOf(after),
});

/** The first old value and the last new value of each entry that changed after a version. */
const changesSince = async (from: Kysely<Schema>, version: number): Promise<PriceChange[]> => {
  const rows = await from
    .selectFrom('price_changes')
    .selectAll()
    .where('version', '>', version)
    .orderBy('version')
    .execute();
  const first = new Map<string, PriceChange>();
  for (const row of rows) {
    const change = changeOf(row);
    const key = `${change.option}\n${change.key}`;
    const known = first.get(key);
    first.set(key, known === undefined ? change : { ...change, before: known.before });
  }
  return [...first.values()].filter(({ before, after }) => stableText(before) !== stableText(after));
};

const openBook = async (transaction: Kysely<Schema>, database: Database): Promise<OpenBook> => ({
  version: await readPriceVersion(transaction),
  texts: await readPriceTexts(transaction),
  needsApproval: await needsApproval(transaction),
  settings: () => readSettings(transaction),
  sinceMs: async () => {
    const row = await transaction
      .selectFrom('price_versions')
      .select('created_at')
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    return Number(row?.created_at ?? 0);
  },
  changesSince: (version) => changesSince(transaction, version),
  textsOf: async (version) => {
    const row = await transaction
      .selectFrom('price_versions')
      .select('prices')
      .where('version', '=', version)
      .executeTakeFirst();
    return row && ((parsed(row.prices) ?? {}) as PriceTexts);
  },
  dueDrafts: async () => {
    const { due } = await transaction
      .selectFrom('price_drafts')
      .select((is) => is.fn.countAll<number>().as('due'))
      .where('state', '=', 'due')
      .executeTakeFirstOrThrow();
    return Number(due);
  },
  draft: async (id) => {
    await lockDraft(transaction, database, id);
    return findDraft(transaction, id);
  },
  createDraft: (draft) => createDraft(transaction, draft),
  removeDraft: async (id) => {
    await transaction.deleteFrom('price_drafts').where('id', '=', id).execute();
  },
  changeDraft: async (id, changes, nowMs) => void (await changeDraft(transaction, id, changes, nowMs)),
  unscheduleAll: async () => {
    await transaction
      .updateTable('price_drafts')
      .set((is) => ({ state: 'open', due_at: null, verdict: null, revision: is('revision', '+', 1) }))
      .where('state', '=', 'due')
      .execute();
  },
  write: (texts, edit) => writePrices(transaction, texts, edit),
});

/** The price book in the database. */
export const createPriceBookStore = (database: Database): PriceBookStore => {
  const { writer } = database;
  return {
    version: () => readPriceVersion(writer),
    texts: () => readPriceTexts(writer),
    versions: async (page) => {
      const rows = await writer
        .selectFrom('price_versions')
        .select(versionColumns)
        .orderBy('version', 'desc')
        .limit(page.pageSize)
        .offset(offsetOf(page))
        .execute();
      const { total } = await writer
        .selectFrom('price_versions')
        .select((is) => is.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(versionOf), total: Number(total) };
    },
    find: async (version) => {
      const row = await writer
        .selectFrom('price_versions')
        .select(versionColumns)
        .where('version', '=', version)
        .executeTakeFirst();
      return row && versionOf(row);
    },
    changesOf: async (version, limit) => {
      const rows = await writer
        .selectFrom('price_changes')
        .selectAll()
        .where('version', '=', version)
        .orderBy('option_name')
        .orderBy('name')
        .limit(limit)
        .execute();
      return rows.map(changeOf);
    },
    changesSince: (version) => changesSince(writer, version),
    changesTo: async (keys, limit) => {
      const wanted = [...keys].filter(([, names]) => names.length > 0);
      if (wanted.length === 0) return [];
      const { rows } = await sql<ChangeRow & { created_at: number }>`
        SELECT c.*, v.created_at FROM price_changes c JOIN price_versions v ON v.version = c.version
        WHERE ${sql.join(
          wanted.map(
            ([option, names]) => sql`(c.option_name = ${option} AND c.name IN (${sql.join(names)}))`,
          ),
          sql` OR `,
        )} ORDER BY c.version DESC, c.option_name LIMIT ${limit}`.execute(writer);
      return rows.map((row) => ({
        ...changeOf(row),
        version: Number(row.version),
        createdAtMs: Number(row.created_at),
      }));
    },
    edit: (work) =>
      writer.transaction().execute(async (transaction) => {
        await lockPrices(transaction, database);
        return work(await openBook(transaction, database));
      }),
    needsApproval: () => needsApproval(writer),
    endApproval: () => endApproval(database),
    ...draftsIn(writer),
  };
};
