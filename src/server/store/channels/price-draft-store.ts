import { type Kysely, type Selectable, sql } from 'kysely';
import { parsed } from '#contract/json-text.ts';
import { listOf } from '#core/json/fields.ts';
import type {
  DraftHead,
  DraftState,
  NewDraft,
  PriceBookStore,
  PriceDraft,
} from '#core/price-book/price-book-store.ts';
import type { PriceEntry } from '#core/price-book/price-tables.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

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
  mayRemove: listOf(parsed(row.may_remove)) as readonly string[],
});

export const findDraft = async (from: Kysely<Schema>, id: number): Promise<PriceDraft | undefined> => {
  const row = await from.selectFrom('price_drafts').selectAll().where('id', '=', id).executeTakeFirst();
  return row && draftOf(row);
};

export const createDraft = async (
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

/** Locks the draft, so that nobody edits or cancels it while it is published. SQLite has only one writer. */
export const lockDraft = async (
  transaction: Kysely<Schema>,
  { engine }: Database,
  id: number,
): Promise<void> => {
  if (engine === 'postgres')
    await sql`SELECT id FROM price_drafts WHERE id = ${id} FOR UPDATE`.execute(transaction);
};

type Drafts = 'drafts' | 'draft' | 'createDraft' | 'changeDraft' | 'deleteDraft' | 'dueBy';
/** More drafts than anybody has. */
const DRAFTS_SHOWN = 200;

/** Drafts of prices in the database. */
export const draftsIn = (writer: Kysely<Schema>): Pick<PriceBookStore, Drafts> => ({
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
