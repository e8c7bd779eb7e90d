import { createHash } from 'node:crypto';
import { priceOptions } from '#contract/price-book.ts';
import type { Clock } from '#core/clock.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Log } from '#core/logging.ts';
import type { PriceBookStore, PriceDraft, PriceEdit } from '#core/price-book/price-book-store.ts';
import {
  changesBetween,
  type PriceChange,
  type PriceEntry,
  type PriceTables,
  tablesOf,
  textsOfChanged,
  withEntries,
} from '#core/price-book/price-tables.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { refuseChanged } from '../changed-since.ts';
import { refuse } from '../refuse.ts';
import { type GroupUse, type GroupUseDeps, groupsInUse } from '../site/groups-in-use.ts';
import { type OptionEditor, readText, requireMaySet } from '../site/options.ts';

export interface PriceBookDeps extends GroupUseDeps {
  readonly priceBook: PriceBookStore;
  readonly users: Pick<UserStore, 'byId' | 'groupUse'>;
  readonly logs: Pick<LogStore, 'append'>;
  /** Applies the change to every later call, on this and other nodes. */
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface PriceDraftDeps {
  readonly priceBook: PriceBookStore;
  readonly clock: Clock;
}

interface DraftEdit {
  readonly reason?: string | undefined;
  readonly entries?: readonly PriceEntry[] | undefined;
  /** The editor knows and accepts all changes up to this version. */
  readonly base?: number | undefined;
}

export type PriceDrafts = ReturnType<typeof createPriceDrafts>;

/** The most rows of a difference that are shown. */
export const DIFF_MAX = 5000;

/** The states in which a draft may be edited. */
const unscheduled = ['open', 'conflict', 'barred', 'used'] as const;

/** The names of changed prices, for comparison. */
export const namesOf = (changes: readonly (PriceChange | PriceEntry)[]): ReadonlySet<string> =>
  new Set(changes.map(({ option, key }) => `${option}\n${key}`));

/** The texts to write. Throws `option_invalid` if an option could not be saved like that. */
export const checked = (before: PriceTables, after: PriceTables): ReturnType<typeof textsOfChanged> => {
  const texts = textsOfChanged(before, after);
  for (const [option, text] of texts) readText(option, text, JSON.stringify(before[option]).length);
  return texts;
};

/**
 * The groups in use that a change of the prices would remove, except those in `mayRemove`. Counted before the prices are
 * locked: it reads other tables.
 */
export const groupsLost = async (
  deps: PriceBookDeps,
  afterOf: (tables: PriceTables) => PriceTables,
  mayRemove: readonly string[] | undefined,
): Promise<readonly GroupUse[]> => {
  const tables = tablesOf(await deps.priceBook.texts());
  return groupsInUse(deps, tables.GroupRatio, afterOf(tables).GroupRatio, mayRemove);
};

/** Prices are options: whoever may set those may publish, with a fresh proof of identity if they require one. */
export const requireMaySetPrices = (editor: OptionEditor, nowMs: number): void => {
  for (const option of priceOptions) requireMaySet(editor, option, nowMs);
};

/** Who changes prices and why, as stored in the price book. */
export const editOf = ({ user }: OptionEditor, reason: string, nowMs: number): PriceEdit => ({
  authorId: user.id,
  author: user.username,
  reason,
  nowMs,
});

/** A mark of a draft's content, to detect that it has changed since an editor read it. */
export const editionOf = ({ reason, entries }: Pick<PriceDraft, 'reason' | 'entries'>): string =>
  createHash('sha256')
    .update(JSON.stringify([reason, entries]))
    .digest('hex')
    .slice(0, 32);

/** Drafts of prices; they do not affect charges. Refusals are thrown. */
export const createPriceDrafts = ({ priceBook, clock }: PriceDraftDeps) => {
  const found = async (id: number): Promise<PriceDraft> => {
    const draft = await priceBook.draft(id);
    if (draft === undefined) throw refuse('price_draft_missing');
    return draft;
  };
  const check = async (entries: readonly PriceEntry[]): Promise<void> => {
    const tables = tablesOf(await priceBook.texts());
    checked(tables, withEntries(tables, entries));
  };

  return {
    list: () => priceBook.drafts(),

    /** A draft, compared with the current prices. */
    async read(id: number) {
      const draft = await found(id);
      const tables = tablesOf(await priceBook.texts());
      const changedSince = await priceBook.changesSince(draft.base);
      return {
        ...draft,
        edition: editionOf(draft),
        current: await priceBook.version(),
        diff: changesBetween(tables, withEntries(tables, draft.entries)).slice(0, DIFF_MAX),
        changedSince: changedSince.slice(0, DIFF_MAX),
      };
    },

    async create(editor: OptionEditor, reason: string, entries: readonly PriceEntry[]): Promise<number> {
      await check(entries);
      const base = await priceBook.version();
      return priceBook.createDraft({ ...editOf(editor, reason, clock.now()), base, entries });
    },

    /** @param edition what the editor read; undefined if the request does not state it */
    async update(id: number, { reason, entries, base }: DraftEdit, edition?: string): Promise<void> {
      if (entries !== undefined) await check(entries);
      const before = await found(id);
      if (edition !== undefined && edition !== editionOf(before)) refuseChanged(['entries']);
      const changes = {
        state: 'open' as const,
        ...(reason !== undefined && { reason }),
        ...(entries !== undefined && { entries }),
        ...(base !== undefined && { base: Math.min(base, await priceBook.version()) }),
      };
      const read = edition === undefined ? undefined : before;
      if (await priceBook.changeDraft(id, unscheduled, changes, clock.now(), read)) return;
      const now = await found(id);
      if (edition !== undefined && edition !== editionOf(now)) refuseChanged(['entries']);
      throw refuse('price_draft_due');
    },

    /** Deleting a scheduled draft changes future charges, so it needs the same rights as publishing. */
    async delete(editor: OptionEditor, id: number): Promise<void> {
      const draft = await found(id);
      if (draft.state === 'due') requireMaySetPrices(editor, clock.now());
      if (!(await priceBook.deleteDraft(id))) throw refuse('price_draft_missing');
    },
  };
};
