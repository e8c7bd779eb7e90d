import type { PriceOption } from '#contract/price-book.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { Person, Restored, SettingChange, Verdict } from './approval.ts';
import type { PriceChange, PriceEntry, PriceTexts } from './price-tables.ts';

/** Who changes prices, and why. */
export interface PriceEdit {
  readonly authorId: number;
  readonly author: string;
  readonly reason: string;
  readonly nowMs: number;
  /** The version whose prices this edit restores. */
  readonly restoredFrom?: number;
  /** All who had a part in it, where more than the author did. */
  readonly writers?: readonly Person[];
  /** Required while prices need a second person. */
  readonly approval?: Verdict;
  readonly settings?: readonly SettingChange[];
}

/** The prices as published at some time. */
export interface PriceVersion {
  readonly version: number;
  readonly createdAtMs: number;
  readonly author: string;
  readonly reason: string;
  /** How many names changed their value; undefined for versions written before this was counted. */
  readonly changes: number | undefined;
  readonly restoredFrom: number | undefined;
  /** Empty for versions that are older than this field. */
  readonly writers: readonly Person[];
  /** Undefined where nobody had to approve it. */
  readonly approval: Verdict | undefined;
  readonly settings: readonly SettingChange[];
}

/**
 * `asked`: it waits for the approval of another admin; `late`: it still does although it was due; `rejected`: another admin
 * has refused it. `due`: it is scheduled; `conflict`: when it was due, something it changes had been changed meanwhile; `barred`:
 * whoever scheduled it was no longer allowed to set prices; `used`: it would have removed groups that were in use.
 * Published drafts are removed.
 */
export type DraftState = 'open' | 'asked' | 'late' | 'rejected' | 'due' | 'conflict' | 'barred' | 'used';

/** A draft without its entries. */
export interface DraftHead {
  readonly id: number;
  readonly author: string;
  readonly authorId: number;
  readonly reason: string;
  /** The version the draft is based on. */
  readonly base: number;
  readonly entryCount: number;
  readonly updatedAtMs: number;
  /** When the draft is published automatically; undefined if it is not scheduled. */
  readonly dueAtMs: number | undefined;
  readonly state: DraftState;
  /** Increases with every change of it. */
  readonly revision: number;
  /** All who had a part in it. */
  readonly writers: readonly Person[];
  readonly verdict: Verdict | undefined;
  readonly settings: readonly SettingChange[];
}

/** A draft of prices with all of its entries. */
export interface PriceDraft extends DraftHead {
  readonly entries: readonly PriceEntry[];
  /** Groups that it may remove when it is due, although they are in use. */
  readonly mayRemove: readonly string[];
  readonly restoring: Restored | undefined;
}

export interface NewDraft extends PriceEdit {
  readonly base: number;
  readonly entries: readonly PriceEntry[];
  readonly restoring?: Restored;
}

/** What changes in a draft. Null takes away. */
export interface DraftWrite {
  readonly state?: DraftState;
  readonly dueAtMs?: number | null;
  readonly base?: number;
  readonly reason?: string;
  readonly author?: Person;
  readonly mayRemove?: readonly string[];
  readonly entries?: readonly PriceEntry[];
  readonly writers?: readonly Person[];
  readonly verdict?: Verdict | null;
  readonly restoring?: null;
}

/** The price book inside the transaction that writes it. */
export interface OpenBook {
  readonly version: number;
  readonly texts: PriceTexts;
  /** Whether a second person is needed: see `SECOND_PERSON`. */
  readonly needsApproval: boolean;
  /** The stored texts of the settings that change with prices. */
  settings(): Promise<ReadonlyMap<string, string>>;
  /** Since when the current prices apply; 0 if they never changed. */
  sinceMs(): Promise<number>;
  /** What changed after a version. */
  changesSince(version: number): Promise<PriceChange[]>;
  /** Undefined if that version does not exist. */
  textsOf(version: number): Promise<PriceTexts | undefined>;
  /** How many drafts are scheduled. */
  dueDrafts(): Promise<number>;
  draft(id: number): Promise<PriceDraft | undefined>;
  createDraft(draft: NewDraft): Promise<number>;
  /** Removes a draft after it was published. */
  removeDraft(id: number): Promise<void>;
  /** Changes a draft, and with it its revision. */
  changeDraft(id: number, changes: DraftWrite, nowMs: number): Promise<void>;
  /** Cancels the schedule of all drafts. */
  unscheduleAll(): Promise<void>;
  /**
   * Writes the texts, and the edit's settings, as the next version and returns its number. Throws without an approval
   * where one is needed.
   */
  write(texts: ReadonlyMap<PriceOption, string>, edit: PriceEdit): Promise<number>;
}

/** Stores the versions of prices and the drafts of new ones. */
export interface PriceBookStore {
  version(): Promise<number>;
  texts(): Promise<PriceTexts>;
  versions(page: PageRequest): Promise<Page<PriceVersion>>;
  find(version: number): Promise<PriceVersion | undefined>;
  /** At most `limit`, in the order of options and names. */
  changesOf(version: number, limit: number): Promise<PriceChange[]>;
  changesSince(version: number): Promise<PriceChange[]>;
  /** The changes of these names in these options, newest first. */
  changesTo(
    keys: ReadonlyMap<PriceOption, readonly string[]>,
    limit: number,
  ): Promise<(PriceChange & { readonly version: number; readonly createdAtMs: number })[]>;
  /** Locks prices on all nodes until the work has ended. The work is one transaction. */
  edit<Result>(work: (book: OpenBook) => Promise<Result>): Promise<Result>;
  drafts(): Promise<DraftHead[]>;
  draft(id: number): Promise<PriceDraft | undefined>;
  createDraft(draft: NewDraft): Promise<number>;
  /** Returns false if the draft is no longer in one of these states. */
  changeDraft(id: number, from: readonly DraftState[], changes: DraftWrite, nowMs: number): Promise<boolean>;
  deleteDraft(id: number): Promise<boolean>;
  /** The drafts that are due by now, earliest first, with those that still wait for an approval. */
  dueBy(nowMs: number): Promise<number[]>;
  needsApproval(): Promise<boolean>;
  /** For whoever runs the server: prices need no second person any more. False if they did not. */
  endApproval(): Promise<boolean>;
}
