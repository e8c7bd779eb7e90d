import { role } from '#contract/codes.ts';
import { optionRow, optionText } from '#contract/options.ts';
import { PRICE_DIFF_MAX, type PriceOption } from '#contract/price-book.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import { areKnown, mayApprove, type Verdict, withWriter } from '#core/price-book/approval.ts';
import type { OpenBook, PriceDraft } from '#core/price-book/price-book-store.ts';
import { withEntries } from '#core/price-book/price-tables.ts';
import { refuseChanged } from '../../changed-since.ts';
import { logAction } from '../../log-action.ts';
import { refuse } from '../../refuse.ts';
import type { OptionEditor } from '../../site/options.ts';
import {
  groupsLost,
  keysOf,
  mayStillSet,
  type Outcome,
  personOf,
  type PriceBookDeps,
  requireMaySetPrices,
  textsToWrite,
} from './price-drafts.ts';
import { tellPriceNews } from './price-notices.ts';
import { saidReason } from './price-reason.ts';

/** What the admin who asks for an approval has decided. */
export interface Question {
  readonly reason: string;
  /** When it is to be published; at once after the approval where undefined. */
  readonly atMs: number | undefined;
  readonly mayRemove?: readonly string[] | undefined;
  readonly nowMs: number;
}

/** What the approver has looked at; nothing else is approved. */
export interface Approving {
  readonly revision: number;
  /** The version of the prices that the draft was looked at beside. */
  readonly base: number;
  readonly words: string;
  /** Publish at once a draft whose time has passed. */
  readonly isAtOnce: boolean;
}

export interface Rejecting {
  readonly revision: number;
  readonly words: string;
}

/** Lets a draft wait for the approval of another admin. Whoever asks has a part in it and answers for it. */
export const askIn = async (
  book: OpenBook,
  editor: OptionEditor,
  draft: Pick<PriceDraft, 'id' | 'writers'>,
  { reason, atMs, mayRemove = [], nowMs }: Question,
): Promise<void> => {
  const author = personOf(editor);
  await book.changeDraft(
    draft.id,
    {
      state: 'asked',
      dueAtMs: atMs ?? null,
      base: book.version,
      reason,
      author,
      mayRemove,
      writers: withWriter(draft.writers, author),
      verdict: null,
    },
    nowMs,
  );
};

/** Writes down that a draft waits, and notifies those who may approve it. */
export const noteAsked = async (deps: PriceBookDeps, editor: OptionEditor, id: number): Promise<void> => {
  const draft = await deps.priceBook.draft(id);
  if (draft === undefined) return;
  tellPriceNews(deps, 'asked', draft);
  await logAction(deps, editor.user, storedPhrase('log_prices_asked', { reason: saidReason(draft.reason) }));
};

/** Whether the settings that a draft changes still are as its writer saw them. */
export const settingsStand = async (
  book: OpenBook,
  { settings }: Pick<PriceDraft, 'settings'>,
): Promise<boolean> => {
  if (settings.length === 0) return true;
  const stored = await book.settings();
  return settings.every(
    ({ key, before }) => (stored.get(key) ?? optionText(optionRow(key).initial)) === before,
  );
};

/** Writes a draft as a version, with all who had a part in it, and ends the draft. */
export const writeDraft = async (
  book: OpenBook,
  draft: PriceDraft,
  texts: ReadonlyMap<PriceOption, string>,
  nowMs: number,
): Promise<number> => {
  const { id, authorId, author, reason, writers, settings, verdict, restoring } = draft;
  await book.removeDraft(id);
  if (restoring?.endsSchedules === true) await book.unscheduleAll();
  return book.write(texts, {
    authorId,
    author,
    reason,
    nowMs,
    writers,
    settings,
    ...(verdict !== undefined && { approval: verdict }),
    ...(restoring !== undefined && { restoredFrom: restoring.version }),
  });
};

/** The draft if it waits and is still what was looked at. */
const waitingIn = async (book: OpenBook, id: number, revision: number): Promise<PriceDraft> => {
  const draft = await book.draft(id);
  if (draft === undefined) throw refuse('price_draft_missing');
  if (draft.revision !== revision) refuseChanged(['entries']);
  if (draft.state !== 'asked' && draft.state !== 'late') throw refuse('price_not_asked');
  return draft;
};

/**
 * Approves a draft that waits: it is published at once, or stays scheduled. Refused to everybody who had a part in it, and
 * if the draft or any price has changed since the approver looked.
 */
export const approveDraft = async (
  deps: PriceBookDeps,
  editor: OptionEditor,
  id: number,
  how: Approving,
): Promise<Outcome> => {
  const nowMs = deps.clock.now();
  requireMaySetPrices(editor, nowMs);
  const seen = await deps.priceBook.draft(id);
  if (seen === undefined) throw refuse('price_draft_missing');
  if (seen.revision !== how.revision) refuseChanged(['entries']);
  const author = await deps.users.byId(seen.authorId);
  const lost = await groupsLost(deps, (tables) => withEntries(tables, seen.entries), seen.mayRemove);
  const verdict: Verdict = { ...personOf(editor), isApproved: true, atMs: nowMs, words: how.words };
  const outcome = await deps.priceBook.edit(async (book): Promise<Outcome> => {
    if (!book.needsApproval) throw refuse('price_approval_off');
    const draft = await waitingIn(book, id, how.revision);
    if (!areKnown(draft.writers)) throw refuse('price_writers_unknown');
    if (!mayApprove(editor.user.id, draft.writers)) throw refuse('price_own_change');
    if (!mayStillSet(author, keysOf(draft))) throw refuse('price_asker_barred');
    const { version } = book;
    if (version !== how.base) {
      const changedSince = (await book.changesSince(how.base)).slice(0, PRICE_DIFF_MAX);
      return { published: false, version, changedSince };
    }
    if (!(await settingsStand(book, draft))) throw refuse('price_settings_changed');
    if (lost.length > 0) return { published: false, version, changedSince: [], groupsInUse: lost };
    const texts = textsToWrite(book, draft);
    if (draft.dueAtMs !== undefined && draft.dueAtMs > nowMs) {
      await book.changeDraft(id, { state: 'due', verdict, base: version }, nowMs);
      return { published: true, version, changedSince: [] };
    }
    if (draft.dueAtMs !== undefined && !how.isAtOnce) throw refuse('price_time_passed');
    return {
      published: true,
      version: await writeDraft(book, { ...draft, verdict }, texts, nowMs),
      changedSince: [],
    };
  });
  if (!outcome.published) return outcome;
  await deps.refreshRouting();
  tellPriceNews(deps, 'approved', seen, verdict);
  const { author: by, reason } = seen;
  await logAction(
    deps,
    editor.user,
    storedPhrase('log_prices_approved', { author: by, reason: saidReason(reason), words: how.words }),
  );
  return outcome;
};

/** Rejects a draft that waits. It can be changed, and asked for again. */
export const rejectDraft = async (
  deps: PriceBookDeps,
  editor: OptionEditor,
  id: number,
  { revision, words }: Rejecting,
): Promise<void> => {
  const nowMs = deps.clock.now();
  requireMaySetPrices(editor, nowMs);
  const verdict: Verdict = { ...personOf(editor), isApproved: false, atMs: nowMs, words };
  const draft = await deps.priceBook.edit(async (book) => {
    const waiting = await waitingIn(book, id, revision);
    await book.changeDraft(id, { state: 'rejected', dueAtMs: null, verdict }, nowMs);
    return waiting;
  });
  tellPriceNews(deps, 'rejected', draft, verdict);
  const { author, reason } = draft;
  await logAction(
    deps,
    editor.user,
    storedPhrase('log_prices_rejected', { author, reason: saidReason(reason), words }),
  );
};

/**
 * Switches off that prices need a second person, for whoever runs the server: not reachable by network. Written down under
 * the super admin's name. False if it was off.
 */
export const endApproval = async (
  deps: Pick<PriceBookDeps, 'priceBook' | 'users' | 'logs' | 'clock' | 'refreshRouting'>,
): Promise<boolean> => {
  if (!(await deps.priceBook.endApproval())) return false;
  await deps.refreshRouting();
  const [root] = await deps.users.ofRole(role.root);
  await logAction(deps, root ?? { id: 0, username: '' }, storedPhrase('log_second_person_off'));
  return true;
};
