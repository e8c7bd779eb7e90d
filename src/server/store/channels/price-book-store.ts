import { type Kysely, type Selectable, sql } from 'kysely';
import type { PriceOption } from '#contract/price-book.ts';
import { parsed } from '#contract/json-text.ts';
import { listOf } from '#core/json/fields.ts';
import type {
  DraftHead,
  DraftState,
  NewDraft,
  OpenBook,
  PriceBookStore,
  PriceDraft,
  PriceVersion,
} from '#core/price-book/price-book-store.ts';
import {
  type PriceChange,
  type PriceEntry,
  type PriceTexts,
  type PriceValue,
  stableText,
} from '#core/price-book/price-tables.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { offsetOf } from '../database/search.ts';
import { lockPrices, readPriceTexts, readPriceVersion, writePrices } from './write-prices.ts';

type Draft = Selectable<Schema['price_drafts']>;

const draftHeadColumns = [
  'id',
  'author',
  'author_id',
  'reason',
  'base',
  'entry_count',
  'updated_at',
  'due_at',
  'state',
] as const;
type ChangeRow = Selectable<Schema['price_changes']>;

const versionColumns = ['version', 'created_at', 'author', 'reason', 'changes', 'restored_from'] as const;

const versionOf = (
  row: Pick<Selectable<Schema['price_versions']>, (typeof versionColumns)[number]>,
): PriceVersion => ({
  version: row.version,
  createdAtMs: row.created_at,
  author: row.author,
  reason: row.reason,
  changes: row.changes ?? undefined,
  restoredFrom: row.restored_from ?? undefined,
});

const headOf = (row: Pick<Draft, (typeof draftHeadColumns)[number]>): DraftHead => ({
  id: row.id,
  author: row.author,
  authorId: row.author_id,
  reason: row.reason,
  base: row.base,
  entryCount: row.entry_count,
  updatedAtMs: row.updated_at,
  dueAtMs: row.due_at ?? undefined,
  state: row.state as DraftState,
});

const draftOf = (row: Draft): PriceDraft => ({
  ...headOf(row),
  entries: listOf(parsed(row.entries)) as readonly PriceEntry[],
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

const findDraft = async (from: Kysely<Schema>, id: number): Promise<PriceDraft | undefined> => {
  const row = await from.selectFrom('price_drafts').selectAll().where('id', '=', id).executeTakeFirst();
  return row && draftOf(row);
};

const createDraft = async (
  to: Kysely<Schema>,
  { authorId, author, reason, base, entries, nowMs }: NewDraft,
): Promise<number> => {
  const { id } = await to
    .insertInto('price_drafts')
    .values({
      author_id: authorId,
      author,
      reason,
      base,
      entries: JSON.stringify(entries),
      entry_count: entries.length,
      updated_at: nowMs,
      due_at: null,
      state: 'open',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

const openBook = async (transaction: Kysely<Schema>): Promise<OpenBook> => ({
  version: await readPriceVersion(transaction),
  texts: await readPriceTexts(transaction),
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
  draft: (id) => findDraft(transaction, id),
  createDraft: (draft) => createDraft(transaction, draft),
  removeDraft: async (id) => {
    await transaction.deleteFrom('price_drafts').where('id', '=', id).execute();
  },
  unschedule: async (id, state) => {
    await transaction.updateTable('price_drafts').set({ state, due_at: null }).where('id', '=', id).execute();
  },
  schedule: async (id, { dueAtMs, base, reason, authorId, author }) => {
    await transaction
      .updateTable('price_drafts')
      .set({ state: 'due', due_at: dueAtMs, base, reason, author_id: authorId, author })
      .where('id', '=', id)
      .execute();
  },
  unscheduleAll: async () => {
    await transaction
      .updateTable('price_drafts')
      .set({ state: 'open', due_at: null })
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
        return work(await openBook(transaction));
      }),
    ...draftsIn(writer),
  };
};

type Drafts = 'drafts' | 'draft' | 'createDraft' | 'changeDraft' | 'deleteDraft' | 'dueBy';
/** More drafts than anybody has. */
const DRAFTS_SHOWN = 200;

const draftsIn = (writer: Kysely<Schema>): Pick<PriceBookStore, Drafts> => ({
  drafts: async () => {
    const rows = await writer
      .selectFrom('price_drafts')
      .select(draftHeadColumns)
      .orderBy('id', 'desc')
      .limit(DRAFTS_SHOWN)
      .execute();
    return rows.map(headOf);
  },
  draft: (id) => findDraft(writer, id),
  createDraft: (draft) => createDraft(writer, draft),
  changeDraft: async (id, from, { reason, base, entries, state, dueAtMs }, nowMs, read) => {
    const { numUpdatedRows } = await writer
      .updateTable('price_drafts')
      .set({
        updated_at: nowMs,
        ...(reason !== undefined && { reason }),
        ...(base !== undefined && { base }),
        ...(entries !== undefined && {
          entries: JSON.stringify(entries),
          entry_count: entries.length,
        }),
        ...(state !== undefined && { state }),
        ...(dueAtMs !== undefined && { due_at: dueAtMs }),
      })
      .where('id', '=', id)
      .where('state', 'in', from)
      .where((is) =>
        is.and(read === undefined ? {} : { reason: read.reason, entries: JSON.stringify(read.entries) }),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
  deleteDraft: async (id) => {
    const gone = writer.deleteFrom('price_drafts').where('id', '=', id);
    return (await gone.executeTakeFirst()).numDeletedRows > 0n;
  },
  dueBy: async (nowMs) => {
    const rows = await writer
      .selectFrom('price_drafts')
      .select('id')
      .where('state', '=', 'due')
      .where('due_at', '<=', nowMs)
      .orderBy('due_at')
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  },
});
