import { storedPhrase } from '#core/log/stored-phrase.ts';
import { isApproved } from '#core/price-book/approval.ts';
import type { OpenBook, PriceDraft } from '#core/price-book/price-book-store.ts';
import { type PriceTables, tablesOf, withEntries } from '#core/price-book/price-tables.ts';
import { logAction } from '../../log-action.ts';
import { settingsStand, writeDraft } from './price-approval.ts';
import { checked, groupsLost, keysOf, mayStillSet, namesOf, type PriceBookDeps } from './price-drafts.ts';
import { tellPriceNews } from './price-notices.ts';
import { saidReason } from './price-reason.ts';

/** The result for a draft that was due: the version it became, or why it was not published. */
interface Done {
  readonly draft: PriceDraft;
  readonly became: number | 'conflict' | 'barred' | 'used' | 'late';
}

/** Publishes the drafts that are due, each once, even if several nodes try. */
export const publishDue = async (deps: PriceBookDeps): Promise<void> => {
  const { priceBook, refreshRouting, clock, log } = deps;
  const all: Done[] = [];
  for (const id of await priceBook.dueBy(clock.now())) {
    const done = await publishOne(deps, id).catch((error: unknown) => {
      log.error('a change of prices that is due could not be published', { draft: id, error });
      return undefined;
    });
    if (done !== undefined) all.push(done);
  }
  if (all.length === 0) return;
  try {
    await refreshRouting();
  } finally {
    for (const done of all)
      await noteDone(deps, done).catch((error: unknown) =>
        log.error('the result of a change of prices could not be written', { draft: done.draft.id, error }),
      );
  }
};

const noteDone = async (deps: PriceBookDeps, { draft, became }: Done): Promise<void> => {
  const { id, reason } = draft;
  const by = { id: draft.authorId, username: draft.author };
  if (typeof became === 'number')
    return logAction(deps, by, storedPhrase('log_prices', { version: became, reason: saidReason(reason) }));
  deps.log.warn('a change of prices that was due is not published', { draft: id, became });
  if (became === 'late') tellPriceNews(deps, 'late', draft);
  await logAction(deps, by, storedPhrase(`log_prices_${became}`, { reason: saidReason(reason) }));
};

/** Undefined if another node was first, or the schedule was cancelled. */
const publishOne = async (deps: PriceBookDeps, id: number): Promise<Done | undefined> => {
  const { priceBook, users, clock } = deps;
  const seen = await priceBook.draft(id);
  if (seen === undefined) return undefined;
  // The draft's author or approver may have lost the right to set prices since.
  const [author, approver] = await Promise.all([
    users.byId(seen.authorId),
    seen.verdict && users.byId(seen.verdict.id),
  ]);
  // A group that had no members when the draft was scheduled may have some by now.
  const lost = await groupsLost(deps, (tables) => withEntries(tables, seen.entries), seen.mayRemove);
  return priceBook.edit(async (book) => {
    const draft = await book.draft(id);
    if (draft === undefined || draft.dueAtMs === undefined || draft.dueAtMs > clock.now()) return undefined;
    if (draft.state !== 'due' && draft.state !== 'asked') return undefined;
    // The draft may have been taken back and scheduled again since it was read.
    if (draft.revision !== seen.revision) return undefined;
    const isStillApproved = isApproved(draft.writers, draft.verdict) && mayStillSet(approver, ['ModelPrice']);
    const waits = draft.state === 'asked' || (book.needsApproval && !isStillApproved);
    const became = !mayStillSet(author, keysOf(draft))
      ? 'barred'
      : waits
        ? 'late'
        : lost.length > 0
          ? 'used'
          : await written(book, draft);
    if (became === 'late') await book.changeDraft(id, { state: 'late', verdict: null }, clock.now());
    else if (typeof became !== 'number')
      await book.changeDraft(id, { state: became, dueAtMs: null, verdict: null }, clock.now());
    return { draft, became };
  });
};

/**
 * Writes the draft as a version that takes effect at its scheduled time, not at the time of writing: no call that began
 * at that time or later was charged by the previous version.
 */
const written = async (book: OpenBook, draft: PriceDraft): Promise<number | 'conflict'> => {
  const changed = namesOf(await book.changesSince(draft.base));
  const isChanged = [...namesOf(draft.entries)].some((name) => changed.has(name));
  const texts =
    isChanged || !(await settingsStand(book, draft)) ? undefined : textsThatFit(tablesOf(book.texts), draft);
  if (texts === undefined) return 'conflict';
  return writeDraft(book, draft, texts, Math.max(draft.dueAtMs ?? 0, await book.sinceMs()));
};

/** Undefined if the tables together have become too large for an option. */
const textsThatFit = (
  tables: PriceTables,
  { entries }: PriceDraft,
): ReturnType<typeof checked> | undefined => {
  try {
    return checked(tables, withEntries(tables, entries));
  } catch {
    return undefined;
  }
};
