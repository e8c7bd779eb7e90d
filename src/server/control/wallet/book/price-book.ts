import { optionRow, optionText } from '#contract/options.ts';
import { PRICE_DIFF_MAX, priceOptions } from '#contract/price-book.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { PageRequest } from '#core/paging.ts';
import type { OpenBook } from '#core/price-book/price-book-store.ts';
import {
  changesBetween,
  type PriceEntry,
  type PriceTables,
  type PriceTexts,
  tablesOf,
  withEntries,
} from '#core/price-book/price-tables.ts';
import { refuseChanged } from '../../changed-since.ts';
import { logAction } from '../../log-action.ts';
import { refuse } from '../../refuse.ts';
import { type OptionEditor, requireMaySet } from '../../site/options.ts';
import { publishDue } from './due-prices.ts';
import { approveDraft, type Approving, endApproval, rejectDraft, type Rejecting } from './price-approval.ts';
import {
  checked,
  checkedAnew,
  settledEntries,
  editionOf,
  editOf,
  groupsLost,
  namesOf,
  type Outcome,
  type PriceBookDeps,
  requireMaySetPrices,
} from './price-drafts.ts';
import { saidReason } from './price-reason.ts';
import { applied, askedFor, onBase, publishIn, refusedFor } from './publish-prices.ts';

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

/** The versions of prices, and how drafts become one. Refusals are thrown. */
export const createPriceBook = (deps: PriceBookDeps) => ({
  versions: (page: PageRequest) => deps.priceBook.versions(page),

  version: async (version: number) => {
    const head = await deps.priceBook.find(version);
    if (head === undefined) throw refuse('price_version_missing');
    return { ...head, diff: await deps.priceBook.changesOf(version, PRICE_DIFF_MAX) };
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
      return publishIn(book, editor, draft, { reason, mayRemove, atMs, nowMs: clock.now() });
    });
    return applied(deps, editor, outcome, reason, atMs);
  },

  /** Approves a draft that waits, as it was looked at. */
  approve: (editor: OptionEditor, id: number, how: Approving): Promise<Outcome> =>
    approveDraft(deps, editor, id, how),

  reject: (editor: OptionEditor, id: number, how: Rejecting): Promise<void> =>
    rejectDraft(deps, editor, id, how),

  /**
   * Publishes entries as a draft at once, or at a time; all or none. Refused if others have changed one of these names
   * since the editor looked.
   */
  change: (editor: OptionEditor, entries: readonly PriceEntry[], how: Change): Promise<Outcome> =>
    changeNow(deps, editor, entries, how),

  /**
   * Takes back a schedule, an approval, or the request for one. One person alone may do that, because prices then stay
   * as they are.
   */
  async unschedule(editor: OptionEditor, id: number): Promise<void> {
    const { priceBook, clock } = deps;
    requireMaySetPrices(editor, clock.now());
    const draft = await priceBook.draft(id);
    if (draft === undefined) throw refuse('price_draft_missing');
    const { dueAtMs, reason, state } = draft;
    const back = { state: 'open', dueAtMs: null, verdict: null } as const;
    const wasSet = await priceBook.changeDraft(id, ['due', 'asked', 'late'], back, clock.now());
    await deps.refreshRouting();
    if (!wasSet) return;
    const time = new Date(dueAtMs ?? clock.now()).toISOString();
    const content =
      state === 'due'
        ? storedPhrase('log_prices_unscheduled', { time, reason: saidReason(reason) })
        : storedPhrase('log_prices_taken_back', { reason: saidReason(reason) });
    await logAction(deps, editor.user, content);
  },

  /**
   * Makes a new version with the prices of an old one. If drafts are scheduled, `scheduled` says what becomes of them:
   * those that stay are published at their time, unless this changed one of their names.
   */
  restore: (editor: OptionEditor, version: number, how: Restoring): Promise<Outcome> =>
    restoreVersion(deps, editor, version, how),

  publishDue: () => publishDue(deps),

  endApproval: () => endApproval(deps),
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
    const [now, restored] = [tablesOf(book.texts), tablesOf(wholeTexts(old))];
    const texts = checked(now, restored);
    if (texts.size === 0) throw refuse('price_nothing');
    if (book.needsApproval) {
      const entries = changesBetween(now, restored).map(({ option, key, after: value }) => ({
        option,
        key,
        value,
      }));
      const restoring = { version, endsSchedules: scheduled === 'cancel' };
      const draft = { ...editOf(editor, reason, nowMs), base: book.version, entries, restoring };
      return askedFor(book, editor, draft, { reason, mayRemove, atMs: undefined, nowMs });
    }
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
  return outcome.isChanged ? applied(deps, editor, outcome, how.reason, how.atMs) : outcome;
};

const changeIn = async (
  book: OpenBook,
  editor: OptionEditor,
  entered: readonly PriceEntry[],
  { reason, base = book.version, atMs, nowMs }: Change & { readonly nowMs: number },
): Promise<Outcome & { readonly isChanged: boolean }> => {
  const { version } = book;
  const tables = tablesOf(book.texts);
  const entries = settledEntries(tables, entered);
  const named = namesOf(entries);
  const others = (await book.changesSince(base)).filter(({ option, key }) => named.has(`${option}\n${key}`));
  if (others.length > 0)
    return { published: false, version, changedSince: others.slice(0, PRICE_DIFF_MAX), isChanged: false };
  const texts = checkedAnew(tables, entries);
  for (const option of texts.keys()) requireMaySet(editor, option, nowMs);
  const done = { published: true, version, changedSince: [] };
  // A change without effect makes no version.
  if (texts.size === 0) return { ...done, isChanged: false };
  const edit = editOf(editor, reason, nowMs);
  if (book.needsApproval) {
    const waiting = await askedFor(
      book,
      editor,
      { ...edit, base: version, entries },
      { reason, atMs, nowMs },
    );
    return { ...done, published: false, ...waiting, isChanged: true };
  }
  if (atMs === undefined) return { ...done, version: await book.write(texts, edit), isChanged: true };
  const id = await book.createDraft({ ...edit, base: version, entries });
  await book.changeDraft(id, { state: 'due', dueAtMs: atMs }, nowMs);
  return { ...done, isChanged: true };
};
