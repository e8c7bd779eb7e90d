/** Deletes old logs. The sums stay, so usage and charges remain known. */
export interface LogClearingStore {
  /** Counts the older rows. */
  countBefore(beforeMs: number): Promise<number>;
  /** Deletes at most `limit` of the oldest rows, in one transaction with the sums that count rows. @returns how many */
  deleteSome(rows: ClearedRows, limit: number): Promise<number>;
}

/** Which rows may be deleted: what fits both. */
export interface ClearedRows {
  /** Those that are older. */
  readonly beforeMs: number;
  /** What was written after this row stays, however long ago its call began: it is not sealed yet. */
  readonly upToId: number;
}
