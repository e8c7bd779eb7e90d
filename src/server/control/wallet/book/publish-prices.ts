import { PRICE_DIFF_MAX } from '#contract/price-book.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import { withWriter } from '#core/price-book/approval.ts';
import type { NewDraft, OpenBook, PriceDraft } from '#core/price-book/price-book-store.ts';
import { logAction } from '../../log-action.ts';
import { refuse } from '../../refuse.ts';
import type { GroupUse } from '../../site/groups-in-use.ts';
import { type OptionEditor, requireMaySet } from '../../site/options.ts';
import { askIn, noteAsked, type Question, settingsStand, writeDraft } from './price-approval.ts';
import { type Outcome, personOf, type PriceBookDeps, textsToWrite } from './price-drafts.ts';
import { saidReason } from './price-reason.ts';

/** The new version, `later` where it is scheduled, or the draft that waits for an approval. */
export type Done = number | 'later' | { readonly waiting: number };

/**
 * Applies what was published, and writes it down; or that it waits for an approval.
 * @param atMs when a scheduled change will be published
 */
export const applied = async (
  deps: PriceBookDeps,
  editor: OptionEditor,
  outcome: Outcome,
  reason: string,
  atMs?: number,
): Promise<Outcome> => {
  if (outcome.waiting !== undefined) await noteAsked(deps, editor, outcome.waiting);
  if (!outcome.published) return outcome;
  await deps.refreshRouting();
  const content =
    atMs === undefined
      ? storedPhrase('log_prices', { version: outcome.version, reason: saidReason(reason) })
      : storedPhrase('log_prices_scheduled', {
          time: new Date(atMs).toISOString(),
          reason: saidReason(reason),
        });
  await logAction(deps, editor.user, content);
  return outcome;
};

/** The outcome if groups in use would be lost. */
export const refusedFor = async (
  { priceBook }: PriceBookDeps,
  used: readonly GroupUse[],
): Promise<Outcome | undefined> =>
  used.length === 0
    ? undefined
    : { published: false, version: await priceBook.version(), changedSince: [], groupsInUse: used };

/** Runs `work` only if nobody has changed a price since the editor looked. */
export const onBase = (
  { priceBook }: PriceBookDeps,
  base: number,
  work: (book: OpenBook) => Promise<Done>,
): Promise<Outcome> =>
  priceBook.edit(async (book) => {
    if (book.version !== base) {
      const changedSince = await book.changesSince(base);
      return { published: false, version: book.version, changedSince: changedSince.slice(0, PRICE_DIFF_MAX) };
    }
    const done = await work(book);
    return done === 'later' || typeof done === 'number'
      ? { published: true, version: done === 'later' ? book.version : done, changedSince: [] }
      : { published: false, version: book.version, changedSince: [], ...done };
  });

/** Publishes a draft, schedules it, or lets it wait for an approval. */
export const publishIn = async (
  book: OpenBook,
  editor: OptionEditor,
  draft: PriceDraft,
  question: Question,
): Promise<Done> => {
  // Some of them are the super admin's.
  for (const { key } of draft.settings) requireMaySet(editor, key, question.nowMs);
  const texts = textsToWrite(book, draft);
  if (!(await settingsStand(book, draft))) throw refuse('price_settings_changed');
  if (book.needsApproval) {
    await askIn(book, editor, draft, question);
    return { waiting: draft.id };
  }
  const { reason, atMs, mayRemove = [], nowMs } = question;
  const author = personOf(editor);
  const writers = withWriter(draft.writers, author);
  if (atMs !== undefined) {
    const scheduled = { state: 'due', dueAtMs: atMs, base: book.version, verdict: null } as const;
    await book.changeDraft(draft.id, { ...scheduled, reason, author, mayRemove, writers }, nowMs);
    return 'later';
  }
  const mine = { ...draft, authorId: author.id, author: author.name, reason, writers, verdict: undefined };
  return writeDraft(book, mine, texts, nowMs);
};

/** Makes a draft that waits for an approval. */
export const askedFor = async (
  book: OpenBook,
  editor: OptionEditor,
  draft: NewDraft,
  question: Question,
): Promise<{ readonly waiting: number }> => {
  const id = await book.createDraft(draft);
  await askIn(book, editor, { id, writers: [personOf(editor)] }, question);
  return { waiting: id };
};
