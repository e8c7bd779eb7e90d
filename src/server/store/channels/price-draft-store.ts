import { type Kysely, type Selectable, sql } from 'kysely';
import { parsed } from '#contract/json-text.ts';
import { listOf } from '#core/json/fields.ts';
import type { Person, Restored, SettingChange, Verdict } from '#core/price-book/approval.ts';
import type {
  DraftHead,
  DraftState,
  DraftWrite,
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
  'revision',
  'writers',
  'verdict',
  'settings',
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
  revision: Number(row.revision),
  writers: peopleOf(row.writers),
  verdict: verdictOf(row.verdict),
  settings: settingsOf(row.settings),
});

/** People as stored. */
export const peopleOf = (text: string): readonly Person[] => listOf(parsed(text)) as readonly Person[];
export const verdictOf = (text: string | null): Verdict | undefined =>
  text === null ? undefined : (parsed(text) as Verdict);
export const settingsOf = (text: string): readonly SettingChange[] =>
  listOf(parsed(text)) as readonly SettingChange[];

const draftOf = (row: Draft): PriceDraft => ({
  ...headOf(row),
  entries: listOf(parsed(row.entries)) as readonly PriceEntry[],
  mayRemove: listOf(parsed(row.may_remove)) as readonly string[],
  restoring: row.restoring === null ? undefined : (parsed(row.restoring) as Restored),
});

export const findDraft = async (from: Kysely<Schema>, id: number): Promise<PriceDraft | undefined> => {
  const row = await from.selectFrom('price_drafts').selectAll().where('id', '=', id).executeTakeFirst();
  return row && draftOf(row);
};

export const createDraft = async (
  to: Kysely<Schema>,
  { authorId, author, reason, base, entries, nowMs, writers, settings = [], restoring }: NewDraft,
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
      writers: JSON.stringify(writers ?? [{ id: authorId, name: author }]),
      settings: JSON.stringify(settings),
      restoring: restoring === undefined ? null : JSON.stringify(restoring),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** What a change of a draft writes. */
const columnsOf = ({
  state,
  dueAtMs,
  base,
  reason,
  author,
  mayRemove,
  entries,
  writers,
  verdict,
  restoring,
}: DraftWrite) => ({
  ...(state !== undefined && { state }),
  ...(dueAtMs !== undefined && { due_at: dueAtMs }),
  ...(base !== undefined && { base }),
  ...(reason !== undefined && { reason }),
  ...(author !== undefined && { author_id: author.id, author: author.name }),
  ...(mayRemove !== undefined && { may_remove: JSON.stringify(mayRemove) }),
  ...(entries !== undefined && { entries: JSON.stringify(entries), entry_count: entries.length }),
  ...(writers !== undefined && { writers: JSON.stringify(writers) }),
  ...(verdict !== undefined && { verdict: verdict === null ? null : JSON.stringify(verdict) }),
  ...(restoring !== undefined && { restoring }),
});

/** Changes a draft if it is in one of these states, if any are named. */
export const changeDraft = async (
  to: Kysely<Schema>,
  id: number,
  changes: DraftWrite,
  nowMs: number,
  from?: readonly DraftState[],
): Promise<boolean> => {
  const { numUpdatedRows } = await to
    .updateTable('price_drafts')
    .set((is) => ({ ...columnsOf(changes), updated_at: nowMs, revision: is('revision', '+', 1) }))
    .where('id', '=', id)
    .where((is) => (from === undefined ? is.lit(true) : is('state', 'in', from)))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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
/** More drafts than any site has at once. */
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
  changeDraft: (id, from, changes, nowMs) => changeDraft(writer, id, changes, nowMs, from),
  deleteDraft: async (id) => {
    const gone = writer.deleteFrom('price_drafts').where('id', '=', id);
    return (await gone.executeTakeFirst()).numDeletedRows > 0n;
  },
  dueBy: async (nowMs) => {
    const rows = await writer
      .selectFrom('price_drafts')
      .select('id')
      .where('state', 'in', ['due', 'asked'])
      .where('due_at', '<=', nowMs)
      .orderBy('due_at')
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  },
});
