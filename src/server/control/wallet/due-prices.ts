import { userStatus } from '#contract/codes.ts';
import { maySetOption } from '#contract/options/guards.ts';
import { optionRow } from '#contract/options.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { OpenBook, PriceDraft } from '#core/price-book/price-book-store.ts';
import { type PriceTables, tablesOf, withEntries } from '#core/price-book/price-tables.ts';
import type { User } from '#core/user/user.ts';
import { logAction } from '../log-action.ts';
import { checked, groupsLost, namesOf, type PriceBookDeps } from './price-drafts.ts';

/** The result for a draft that was due: the version it became, or why it was not published. */
interface Done {
  readonly draft: PriceDraft;
  readonly became: number | 'conflict' | 'barred' | 'used';
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
    return logAction(deps, by, storedPhrase('log_prices', { version: became, reason }));
  deps.log.warn('a change of prices that was due is not published', { draft: id, became });
  await logAction(deps, by, storedPhrase(`log_prices_${became}`, { reason }));
};

/** Undefined if another node was first, or the schedule was cancelled. */
const publishOne = async (deps: PriceBookDeps, id: number): Promise<Done | undefined> => {
  const { priceBook, users, clock } = deps;
  const seen = await priceBook.draft(id);
  if (seen === undefined) return undefined;
  const scheduledBy = await users.byId(seen.authorId);
  // Somebody may have joined a group since nobody was in it.
  const lost = await groupsLost(deps, (tables) => withEntries(tables, seen.entries), seen.mayRemove);
  return priceBook.edit(async (book) => {
    const draft = await book.draft(id);
    if (draft?.state !== 'due' || draft.dueAtMs === undefined || draft.dueAtMs > clock.now())
      return undefined;
    // It may have been unscheduled and scheduled again meanwhile.
    const isAllowed =
      scheduledBy !== undefined && scheduledBy.id === draft.authorId && maySet(scheduledBy, draft);
    const became = !isAllowed ? 'barred' : lost.length > 0 ? 'used' : await written(book, draft);
    if (typeof became !== 'number') await book.unschedule(id, became);
    return { draft, became };
  });
};

/**
 * Whether whoever scheduled it would still be allowed to, apart from a fresh proof of identity: that was given when it
 * was scheduled.
 */
const maySet = (user: User, { entries }: PriceDraft): boolean =>
  user.deletedAtMs === null &&
  user.status === userStatus.enabled &&
  entries.every(({ option }) => maySetOption(user, optionRow(option).guard));

/**
 * Writes the draft as a version that takes effect at its scheduled time, not at the time of writing: no call that began
 * at that time or later was charged by the previous version.
 */
const written = async (book: OpenBook, draft: PriceDraft): Promise<number | 'conflict'> => {
  const changed = namesOf(await book.changesSince(draft.base));
  const texts = [...namesOf(draft.entries)].some((name) => changed.has(name))
    ? undefined
    : textsThatFit(tablesOf(book.texts), draft);
  if (texts === undefined) return 'conflict';
  await book.removeDraft(draft.id);
  const { authorId, author, reason, dueAtMs = 0 } = draft;
  const nowMs = Math.max(dueAtMs, await book.sinceMs());
  return book.write(texts, { authorId, author, reason, nowMs });
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
