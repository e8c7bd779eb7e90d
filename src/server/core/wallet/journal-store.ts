import type { JournalKind } from '../ledger/ledger.ts';
import type { Page, PageRequest } from '../paging.ts';

/** One movement of a user's quota that was no call, as it is read back. */
export interface JournalRow {
  readonly id: number;
  readonly kind: JournalKind;
  readonly deltaUnits: number;
  /** The same for what inviting others has earned, which is no balance yet. */
  readonly earnedUnits: number;
  /** What was available right after it; null for rows of an older version. */
  readonly quotaAfterUnits: number | null;
  readonly reason: string;
  readonly createdAtMs: number;
}

/** The journal, to be read: only the ledger writes it. */
export interface JournalStore {
  /** Newest first. */
  list(userId: number, page: PageRequest): Promise<Page<JournalRow>>;
}
