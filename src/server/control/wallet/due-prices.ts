import { userStatus } from '#contract/codes.ts';
import { maySetOption } from '#contract/options/guards.ts';
import { optionRow } from '#contract/options.ts';
import { keptPhrase } from '#core/log/kept-phrase.ts';
import type { OpenBook, PriceDraft } from '#core/price-book/price-book-store.ts';
import { type PriceTables, tablesOf, withEntries } from '#core/price-book/price-tables.ts';
import type { User } from '#core/user/user.ts';
import { logAction } from '../log-action.ts';
import { checked, namesOf, type PriceBookDeps } from './price-drafts.ts';

/** What became of a draft that was due: the version it is now, or why it is none. */
interface Done {
  readonly draft: PriceDraft;
  readonly became: number | 'conflict' | 'barred';
}

/** Publishes the drafts whose time has come; each once, whoever else tries. */
export const publishDue = async (deps: PriceBookDeps): Promise<void> => {
  const { priceBook, users, refreshRouting, clock, log } = deps;
  const all: Done[] = [];
  for (const id of await priceBook.dueBy(clock.now())) {
    const authorId = (await priceBook.draft(id))?.authorId;
    const author = authorId === undefined ? undefined : await users.byId(authorId);
    const done = await priceBook
      .edit((book) => publishOne(book, id, author, clock.now()))
      .catch((error: unknown) => {
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
        log.error('what became of a change of prices is not written down', { draft: done.draft.id, error }),
      );
  }
};

const noteDone = async (deps: PriceBookDeps, { draft, became }: Done): Promise<void> => {
  const { id, reason } = draft;
  const by = { id: draft.authorId, username: draft.author };
  if (typeof became === 'number')
    return logAction(deps, by, keptPhrase('log_prices', { version: became, reason }));
  deps.log.warn('a change of prices that was due is not published', { draft: id, became });
  await logAction(deps, by, keptPhrase(`log_prices_${became}`, { reason }));
};

/** Undefined where another node was first, or it was taken from the clock. */
const publishOne = async (
  book: OpenBook,
  id: number,
  scheduledBy: User | undefined,
  nowMs: number,
): Promise<Done | undefined> => {
  const draft = await book.draft(id);
  if (draft?.state !== 'due' || draft.dueAtMs === undefined || draft.dueAtMs > nowMs) return undefined;
  // Somebody else may have taken it from the clock and scheduled it again meanwhile.
  const isAllowed =
    scheduledBy !== undefined && scheduledBy.id === draft.authorId && maySet(scheduledBy, draft);
  const became = isAllowed ? await written(book, draft) : 'barred';
  if (typeof became !== 'number') await book.unschedule(id, became);
  return { draft, became };
};

/** Whether whoever scheduled it might do so now, a fresh proof of who it is aside: that was given then. */
const maySet = (user: User, { entries }: PriceDraft): boolean =>
  user.deletedAtMs === null &&
  user.status === userStatus.enabled &&
  entries.every(({ option }) => maySetOption(user, optionRow(option).guard));

/**
 * A version names when it holds: no call that began at that time or later was charged by the one before it, so its time
 * is that of the schedule and not of the writing.
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

/** Undefined where the tables together have become too large for an option. */
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
