import type { PriceOption } from '#contract/price-book.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { PriceChange, PriceEntry, PriceTexts } from './price-tables.ts';

/** Who changes prices, and why. */
export interface PriceEdit {
  readonly authorId: number;
  readonly author: string;
  readonly reason: string;
  readonly nowMs: number;
  /** The version that is brought back. */
  readonly restoredFrom?: number;
}

/** Prices as they were published once. */
export interface PriceVersion {
  readonly version: number;
  readonly createdAtMs: number;
  readonly author: string;
  readonly reason: string;
  /** How many names have another value than before; undefined of versions older than this count. */
  readonly changes: number | undefined;
  readonly restoredFrom: number | undefined;
}

/**
 * When it was due, `conflict`: what it changes had been changed meanwhile; `barred`: whoever scheduled it might not set prices
 * any more. One that is published is gone.
 */
export type DraftState = 'open' | 'due' | 'conflict' | 'barred';

/** A draft without its entries. */
export interface DraftHead {
  readonly id: number;
  readonly author: string;
  readonly authorId: number;
  readonly reason: string;
  /** The version it was made on. */
  readonly base: number;
  readonly entryCount: number;
  readonly updatedAtMs: number;
  /** When it is published by itself; undefined where it is not. */
  readonly dueAtMs: number | undefined;
  readonly state: DraftState;
}

/** A draft of prices with all of its entries. */
export interface PriceDraft extends DraftHead {
  readonly entries: readonly PriceEntry[];
}

export interface NewDraft extends PriceEdit {
  readonly base: number;
  readonly entries: readonly PriceEntry[];
}

export interface DraftChanges {
  readonly reason?: string;
  readonly base?: number;
  readonly entries?: readonly PriceEntry[];
  readonly state?: DraftState;
  readonly dueAtMs?: number | null;
}

/** The book as it is in the transaction that writes to it. */
export interface OpenBook {
  readonly version: number;
  readonly texts: PriceTexts;
  /** Since when the prices are as they are; 0 if they were never changed. */
  sinceMs(): Promise<number>;
  /** What was changed after a version. */
  changesSince(version: number): Promise<PriceChange[]>;
  /** Undefined if there is none. */
  textsOf(version: number): Promise<PriceTexts | undefined>;
  /** How many drafts are to be published by themselves. */
  dueDrafts(): Promise<number>;
  draft(id: number): Promise<PriceDraft | undefined>;
  createDraft(draft: NewDraft): Promise<number>;
  /** Removes a draft that is published. */
  removeDraft(id: number): Promise<void>;
  /** Takes a draft from the clock, with the state it is in from now on. */
  unschedule(id: number, state: DraftState): Promise<void>;
  /** From now on the draft belongs to whoever schedules it; they must still be allowed to set prices when it is due. */
  schedule(id: number, when: PriceEdit & { readonly dueAtMs: number; readonly base: number }): Promise<void>;
  /** Takes all drafts that are due from the clock. */
  unscheduleAll(): Promise<void>;
  /** Writes the texts as the next version, and returns it. */
  write(texts: ReadonlyMap<PriceOption, string>, edit: PriceEdit): Promise<number>;
}

/** Prices as they were, and as they may become. */
export interface PriceBookStore {
  version(): Promise<number>;
  texts(): Promise<PriceTexts>;
  versions(page: PageRequest): Promise<Page<PriceVersion>>;
  find(version: number): Promise<PriceVersion | undefined>;
  /** At most `limit`, in the order of options and names. */
  changesOf(version: number, limit: number): Promise<PriceChange[]>;
  changesSince(version: number): Promise<PriceChange[]>;
  /** What changed of these names in these options, newest first. */
  changesTo(
    keys: ReadonlyMap<PriceOption, readonly string[]>,
    limit: number,
  ): Promise<(PriceChange & { readonly version: number; readonly createdAtMs: number })[]>;
  /** Locks prices, on all nodes, until the work has ended. The work is written whole or not at all. */
  edit<Result>(work: (book: OpenBook) => Promise<Result>): Promise<Result>;
  drafts(): Promise<DraftHead[]>;
  draft(id: number): Promise<PriceDraft | undefined>;
  createDraft(draft: NewDraft): Promise<number>;
  /** False where it is not in one of these states any more. */
  changeDraft(
    id: number,
    from: readonly DraftState[],
    changes: DraftChanges,
    nowMs: number,
  ): Promise<boolean>;
  deleteDraft(id: number): Promise<boolean>;
  /** The drafts whose time has come, the earliest first. */
  dueBy(nowMs: number): Promise<number[]>;
}
