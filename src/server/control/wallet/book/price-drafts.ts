import { createHash } from 'node:crypto';
import { userStatus } from '#contract/codes.ts';
import { type OptionKey, optionRow } from '#contract/options.ts';
import { maySetOption } from '#contract/options/guards.ts';
import { PRICE_DIFF_MAX, priceOptions } from '#contract/price-book.ts';
import type { Clock } from '#core/clock.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Log } from '#core/logging.ts';
import { type Person, withWriter } from '#core/price-book/approval.ts';
import type {
  DraftState,
  OpenBook,
  PriceBookStore,
  PriceDraft,
  PriceEdit,
} from '#core/price-book/price-book-store.ts';
import {
  changesBetween,
  type PriceChange,
  type PriceEntry,
  type PriceTables,
  tablesOf,
  textsOfChanged,
  withEntries,
} from '#core/price-book/price-tables.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { NotifyUser } from '../../people/notify-user.ts';
import { refuseChanged } from '../../changed-since.ts';
import { refuse, sayError } from '../../refuse.ts';
import { type GroupUse, type GroupUseDeps, groupsInUse } from '../../site/groups-in-use.ts';
import { refuseUnknownGroups } from '../../site/known-groups.ts';
import { type OptionEditor, readText, requireMaySet } from '../../site/options.ts';

export interface PriceBookDeps extends GroupUseDeps {
  readonly priceBook: PriceBookStore;
  readonly users: Pick<UserStore, 'byId' | 'groupUse' | 'ofRole'>;
  readonly notify: NotifyUser;
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

/**
 * The result of a change. It is not published if others changed prices since the version its editor looked at, or if it
 * would remove groups in use without naming them.
 */
export interface Outcome {
  readonly published: boolean;
  /** The current version. */
  readonly version: number;
  readonly changedSince: readonly PriceChange[];
  /** The draft that waits for the approval of another admin instead. */
  readonly waiting?: number;
  readonly groupsInUse?: readonly GroupUse[];
}

interface DraftEdit {
  readonly reason?: string | undefined;
  readonly entries?: readonly PriceEntry[] | undefined;
  /** The editor knows and accepts all changes up to this version. */
  readonly base?: number | undefined;
}

export type PriceDrafts = ReturnType<typeof createPriceDrafts>;

/** The states in which a draft may be edited: what waits for an approval then waits no longer. */
const unscheduled: ReadonlySet<DraftState> = new Set<DraftState>([
  'open',
  'asked',
  'late',
  'rejected',
  'conflict',
  'barred',
  'used',
]);

/** The names of changed prices, for comparison. */
export const namesOf = (changes: readonly (PriceChange | PriceEntry)[]): ReadonlySet<string> =>
  new Set(changes.map(({ option, key }) => `${option}\n${key}`));

/** The texts to write. Throws `option_invalid` if an option could not be saved like that. */
export const checked = (before: PriceTables, after: PriceTables): ReturnType<typeof textsOfChanged> => {
  const texts = textsOfChanged(before, after);
  for (const [option, text] of texts) readText(option, text, JSON.stringify(before[option]));
  return texts;
};

/** The same for entries that somebody enters, who may have mistyped the name of a group. */
export const checkedAnew = (
  before: PriceTables,
  entries: readonly PriceEntry[],
): ReturnType<typeof textsOfChanged> => {
  const texts = checked(before, withEntries(before, entries));
  const stored = new Map(Object.entries(before).map(([option, table]) => [option, JSON.stringify(table)]));
  refuseUnknownGroups(texts, stored);
  return texts;
};

/**
 * Names of models as they are pasted, without the blanks around them; one that has a price with blanks keeps them. Throws
 * `option_invalid` if two entries have one name: the last would count, although their author may mean the first.
 */
export const settledEntries = (tables: PriceTables, entered: readonly PriceEntry[]): PriceEntry[] => {
  const entries = entered.map((entry) =>
    optionRow(entry.option).groupPlace === undefined && !Object.hasOwn(tables[entry.option], entry.key)
      ? { ...entry, key: entry.key.trim() }
      : entry,
  );
  const names = new Set<string>();
  for (const { option, key } of entries) {
    const before = names.size;
    if (names.add(`${option}\n${key}`).size > before) continue;
    const issue = { key: 'issue_twice', values: { name: key } } as const;
    throw sayError('invalid_request', 'option_invalid', { key: option, issue });
  }
  return entries;
};

/** The texts that a draft changes now. Throws if it changes nothing, or an option could not be saved like that. */
export const textsToWrite = (book: OpenBook, draft: PriceDraft) => {
  const tables = tablesOf(book.texts);
  const texts = checked(tables, withEntries(tables, draft.entries));
  if (texts.size === 0 && draft.settings.length === 0) throw refuse('price_nothing');
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
  const { GroupRatio, GroupGroupRatio } = afterOf(tables);
  const texts = new Map([
    ...(await deps.options.all()),
    ['GroupGroupRatio', JSON.stringify(GroupGroupRatio)],
  ]);
  return groupsInUse(deps, { before: tables.GroupRatio, after: GroupRatio, mayGo: mayRemove, texts });
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

export const personOf = ({ user }: OptionEditor): Person => ({ id: user.id, name: user.username });

/**
 * Whether somebody who answers for a draft still might, apart from a fresh proof of identity: that was given when they
 * did.
 */
export const mayStillSet = (user: User | undefined, keys: readonly OptionKey[]): boolean =>
  user !== undefined &&
  user.deletedAtMs === null &&
  user.status === userStatus.enabled &&
  keys.every((key) => maySetOption(user, optionRow(key).guard));

/** The options that a draft changes. */
export const keysOf = ({ entries, settings }: PriceDraft): readonly OptionKey[] => [
  ...new Set([...entries.map(({ option }) => option), ...settings.map(({ key }) => key)]),
];

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
  const settled = async (entered: readonly PriceEntry[]): Promise<readonly PriceEntry[]> => {
    const tables = tablesOf(await priceBook.texts());
    const entries = settledEntries(tables, entered);
    checkedAnew(tables, entries);
    return entries;
  };

  return {
    list: () => priceBook.drafts(),

    /** A draft, compared with the current prices. */
    async read(id: number) {
      const draft = await found(id);
      // Read before the prices: a change in between then counts as not seen.
      const current = await priceBook.version();
      const tables = tablesOf(await priceBook.texts());
      const changedSince = await priceBook.changesSince(draft.base);
      return {
        ...draft,
        edition: editionOf(draft),
        needsApproval: await priceBook.needsApproval(),
        current,
        diff: changesBetween(tables, withEntries(tables, draft.entries)).slice(0, PRICE_DIFF_MAX),
        changedSince: changedSince.slice(0, PRICE_DIFF_MAX),
      };
    },

    async create(editor: OptionEditor, reason: string, entered: readonly PriceEntry[]): Promise<number> {
      const entries = await settled(entered);
      const base = await priceBook.version();
      return priceBook.createDraft({ ...editOf(editor, reason, clock.now()), base, entries });
    },

    /**
     * Whoever changes a draft has a part in it from then on. An approval, or the wait for one, ends with that.
     * @param edition what the editor read; undefined if the request does not state it
     */
    async update(
      editor: OptionEditor,
      id: number,
      { reason, entries: entered, base }: DraftEdit,
      edition?: string,
    ): Promise<void> {
      const entries = entered && (await settled(entered));
      await priceBook.edit(async (book) => {
        const draft = await book.draft(id);
        if (draft === undefined) throw refuse('price_draft_missing');
        if (edition !== undefined && edition !== editionOf(draft)) refuseChanged(['entries']);
        if (!unscheduled.has(draft.state)) throw refuse('price_draft_due');
        const changes = {
          state: 'open' as const,
          dueAtMs: null,
          verdict: null,
          writers: withWriter(draft.writers, personOf(editor)),
          ...(reason !== undefined && { reason }),
          // With other entries it brings back no version any more.
          ...(entries !== undefined && { entries, restoring: null }),
          ...(base !== undefined && { base: Math.min(base, book.version) }),
        };
        await book.changeDraft(id, changes, clock.now());
      });
    },

    /** Deleting a scheduled draft changes future charges, so it needs the same rights as publishing. */
    async delete(editor: OptionEditor, id: number): Promise<void> {
      const draft = await found(id);
      if (draft.state === 'due') requireMaySetPrices(editor, clock.now());
      if (!(await priceBook.deleteDraft(id))) throw refuse('price_draft_missing');
    },
  };
};
