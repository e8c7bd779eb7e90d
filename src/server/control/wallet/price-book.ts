import { optionRow, optionText } from '#contract/options.ts';
import { priceOptions } from '#contract/price-book.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { PageRequest } from '#core/paging.ts';
import type { OpenBook } from '#core/price-book/price-book-store.ts';
import {
  type PriceChange,
  type PriceEntry,
  type PriceTables,
  type PriceTexts,
  tablesOf,
  withEntries,
} from '#core/price-book/price-tables.ts';
import { refuseChanged } from '../changed-since.ts';
import { logAction } from '../log-action.ts';
import { refuse } from '../refuse.ts';
import type { GroupUse } from '../site/groups-in-use.ts';
import { type OptionEditor, requireMaySet } from '../site/options.ts';
import { publishDue } from './due-prices.ts';
import {
  checked,
  DIFF_MAX,
  editionOf,
  editOf,
  groupsLost,
  namesOf,
  type PriceBookDeps,
  requireMaySetPrices,
} from './price-drafts.ts';

/**
 * The result of a change. It is not published if others changed prices since the version its editor looked at, or if it
 * would remove groups in use without naming them.
 */
export interface Outcome {
  readonly published: boolean;
  /** The current version. */
  readonly version: number;
  readonly changedSince: readonly PriceChange[];
  readonly groupsInUse?: readonly GroupUse[];
}

/** Why prices are published, and the version that the editor looked at. */
export interface Publishing {
  readonly base: number;
  readonly reason: string;
  /** Groups that it may remove although they are in use. */
  readonly mayRemove?: readonly string[] | undefined;
}

/** When a draft is published: now unless `atMs` is given. */
interface PublishingDraft extends Publishing {
  readonly atMs: number | undefined;
  /** What the editor read of the draft: another one is not published. */
  readonly edition?: string | undefined;
}

/** How to bring back an old version. */
interface Restoring extends Publishing {
  /** What becomes of scheduled drafts. */
  readonly scheduled: 'keep' | 'cancel' | undefined;
}

/** How to publish entries without a saved draft. */
export interface Change {
  readonly reason: string;
  /** The version the editor looked at; if absent, changes by others are not checked. */
  readonly base: number | undefined;
  readonly atMs: number | undefined;
}

export type PriceBook = ReturnType<typeof createPriceBook>;

/** The prices of a version, including options that nobody had set then. */
const wholeTexts = (texts: PriceTexts): PriceTexts =>
  Object.fromEntries(
    priceOptions.map((option) => [option, texts[option] ?? optionText(optionRow(option).initial)]),
  );

/** `atMs`: when a scheduled change will be published. */
const applied = async (
  deps: PriceBookDeps,
  { user }: OptionEditor,
  outcome: Outcome,
  reason: string,
  atMs?: number,
): Promise<Outcome> => {
  if (!outcome.published) return outcome;
  await deps.refreshRouting();
  const content =
    atMs === undefined
      ? storedPhrase('log_prices', { version: outcome.version, reason })
      : storedPhrase('log_prices_scheduled', { time: new Date(atMs).toISOString(), reason });
  await logAction(deps, user, content);
  return outcome;
};

/** The outcome if groups in use would be lost. */
const refusedFor = async (
  { priceBook }: PriceBookDeps,
  used: readonly GroupUse[],
): Promise<Outcome | undefined> =>
  used.length === 0
    ? undefined
    : { published: false, version: await priceBook.version(), changedSince: [], groupsInUse: used };

const lostByDraft = async (
  deps: PriceBookDeps,
  id: number,
  mayRemove: readonly string[] | undefined,
): Promise<Outcome | undefined> => {
  const { entries = [] } = (await deps.priceBook.draft(id)) ?? {};
  return refusedFor(deps, await groupsLost(deps, (tables) => withEntries(tables, entries), mayRemove));
};

const lostByVersion = async (
  deps: PriceBookDeps,
  version: number,
  mayRemove: readonly string[] | undefined,
): Promise<Outcome | undefined> => {
  const texts = await deps.priceBook.edit((book) => book.textsOf(version));
  const restored = (tables: PriceTables): PriceTables =>
    texts === undefined ? tables : tablesOf(wholeTexts(texts));
  return refusedFor(deps, await groupsLost(deps, restored, mayRemove));
};

/** Runs `work` only if nobody has changed a price since the editor looked. */
const onBase = (
  { priceBook }: PriceBookDeps,
  base: number,
  work: (book: OpenBook) => Promise<number | 'later'>,
): Promise<Outcome> =>
  priceBook.edit(async (book) => {
    if (book.version !== base) {
      const changedSince = await book.changesSince(base);
      return { published: false, version: book.version, changedSince: changedSince.slice(0, DIFF_MAX) };
    }
    const version = await work(book);
    return { published: true, version: version === 'later' ? book.version : version, changedSince: [] };
  });

/** The versions of prices, and how drafts become one. Refusals are thrown. */
export const createPriceBook = (deps: PriceBookDeps) => ({
  versions: (page: PageRequest) => deps.priceBook.versions(page),

  version: async (version: number) => {
    const head = await deps.priceBook.find(version);
    if (head === undefined) throw refuse('price_version_missing');
    return { ...head, diff: await deps.priceBook.changesOf(version, DIFF_MAX) };
  },

  /** Publishes a draft now, or at a time: then once, by whichever node sees it first, even after a restart. */
  async publish(
    editor: OptionEditor,
    id: number,
    { base, reason, mayRemove, atMs, edition }: PublishingDraft,
  ): Promise<Outcome> {
    const { clock } = deps;
    requireMaySetPrices(editor, clock.now());
    if (atMs !== undefined && atMs <= clock.now()) throw refuse('price_time_past');
    const used = await lostByDraft(deps, id, mayRemove);
    if (used !== undefined) return used;
    const outcome = await onBase(deps, base, async (book) => {
      const draft = await book.draft(id);
      if (draft === undefined) throw refuse('price_draft_missing');
      if (draft.state === 'due') throw refuse('price_draft_due');
      if (edition !== undefined && edition !== editionOf(draft)) refuseChanged(['entries']);
      const tables = tablesOf(book.texts);
      const texts = checked(tables, withEntries(tables, draft.entries));
      if (texts.size === 0) throw refuse('price_nothing');
      if (atMs !== undefined) {
        const edit = editOf(editor, reason, clock.now());
        await book.schedule(id, { dueAtMs: atMs, ...edit, base, mayRemove: mayRemove ?? [] });
        return 'later';
      }
      await book.removeDraft(id);
      return book.write(texts, editOf(editor, reason, clock.now()));
    });
    return applied(deps, editor, outcome, reason, atMs);
  },

  /**
   * Publishes entries as a draft at once, or at a time; all or none. Refused if others have changed one of these names
   * since the editor looked.
   */
  change: (editor: OptionEditor, entries: readonly PriceEntry[], how: Change): Promise<Outcome> =>
    changeNow(deps, editor, entries, how),

  async unschedule(editor: OptionEditor, id: number): Promise<void> {
    const { priceBook, clock } = deps;
    requireMaySetPrices(editor, clock.now());
    const draft = await priceBook.draft(id);
    if (draft === undefined) throw refuse('price_draft_missing');
    const { dueAtMs, reason } = draft;
    const wasDue = await priceBook.changeDraft(id, ['due'], { state: 'open', dueAtMs: null }, clock.now());
    await deps.refreshRouting();
    if (!wasDue) return;
    const time = new Date(dueAtMs ?? clock.now()).toISOString();
    await logAction(deps, editor.user, storedPhrase('log_prices_unscheduled', { time, reason }));
  },

  /**
   * Makes a new version with the prices of an old one. If drafts are scheduled, `scheduled` says what becomes of them:
   * those that stay are published at their time, unless this changed one of their names.
   */
  restore: (editor: OptionEditor, version: number, how: Restoring): Promise<Outcome> =>
    restoreVersion(deps, editor, version, how),

  publishDue: () => publishDue(deps),
});

const restoreVersion = async (
  deps: PriceBookDeps,
  editor: OptionEditor,
  version: number,
  { base, reason, mayRemove, scheduled }: Restoring,
): Promise<Outcome> => {
  const nowMs = deps.clock.now();
  requireMaySetPrices(editor, nowMs);
  const used = await lostByVersion(deps, version, mayRemove);
  if (used !== undefined) return used;
  const outcome = await onBase(deps, base, async (book) => {
    const old = await book.textsOf(version);
    if (old === undefined) throw refuse('price_version_missing');
    const count = await book.dueDrafts();
    if (count > 0 && scheduled === undefined) throw refuse('price_schedule_due', { count });
    const texts = checked(tablesOf(book.texts), tablesOf(wholeTexts(old)));
    if (texts.size === 0) throw refuse('price_nothing');
    if (scheduled === 'cancel') await book.unscheduleAll();
    return book.write(texts, { ...editOf(editor, reason, nowMs), restoredFrom: version });
  });
  return applied(deps, editor, outcome, reason);
};

const changeNow = async (
  deps: PriceBookDeps,
  editor: OptionEditor,
  entries: readonly PriceEntry[],
  how: Change,
): Promise<Outcome> => {
  const nowMs = deps.clock.now();
  if (how.atMs !== undefined && how.atMs <= nowMs) throw refuse('price_time_past');
  const outcome = await deps.priceBook.edit((book) => changeIn(book, editor, entries, { ...how, nowMs }));
  if (!outcome.isChanged) return outcome;
  return applied(deps, editor, outcome, how.reason, how.atMs);
};

const changeIn = async (
  book: OpenBook,
  editor: OptionEditor,
  entries: readonly PriceEntry[],
  { reason, base = book.version, atMs, nowMs }: Change & { readonly nowMs: number },
): Promise<Outcome & { readonly isChanged: boolean }> => {
  const { version } = book;
  const named = namesOf(entries);
  const others = (await book.changesSince(base)).filter(({ option, key }) => named.has(`${option}\n${key}`));
  if (others.length > 0)
    return { published: false, version, changedSince: others.slice(0, DIFF_MAX), isChanged: false };
  const tables = tablesOf(book.texts);
  const texts = checked(tables, withEntries(tables, entries));
  for (const option of texts.keys()) requireMaySet(editor, option, nowMs);
  const done = { published: true, version, changedSince: [] };
  // A change without effect makes no version.
  if (texts.size === 0) return { ...done, isChanged: false };
  const edit = editOf(editor, reason, nowMs);
  if (atMs === undefined) return { ...done, version: await book.write(texts, edit), isChanged: true };
  const id = await book.createDraft({ ...edit, base: version, entries });
  await book.schedule(id, { dueAtMs: atMs, ...edit, base: version });
  return { ...done, isChanged: true };
};
