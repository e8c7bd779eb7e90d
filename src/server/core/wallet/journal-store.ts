import type { JournalKind } from '../ledger/ledger.ts';
import type { Page, PageRequest } from '../paging.ts';

/** One movement of a user's quota, as read back. */
export interface JournalRow {
  readonly id: number;
  readonly kind: JournalKind;
  readonly deltaUnits: number;
  /** The change of invite earnings, which are not balance yet. */
  readonly earnedUnits: number;
  /** The balance right after it; null for rows of an older version. */
  readonly quotaAfterUnits: number | null;
  readonly reason: string;
  readonly createdAtMs: number;
}

/** Reads the journal; only the ledger writes it. */
export interface JournalStore {
  /** Newest first. */
  list(userId: number, page: PageRequest): Promise<Page<JournalRow>>;
}
