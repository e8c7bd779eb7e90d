/** Deletes old logs. The sums stay, so usage and charges remain known. */
export interface LogClearingStore {
  /** Counts the older rows. */
  countBefore(beforeMs: number): Promise<number>;
  /** Deletes at most `limit` of the oldest rows, in one transaction with the sums that count rows. @returns how many */
  deleteSome(rows: ClearedRows, limit: number): Promise<number>;
}

/** Which rows may be deleted: those that meet both conditions. */
export interface ClearedRows {
  /** Rows that are older than this. */
  readonly beforeMs: number;
  /** Rows written after this one stay, however early their call began: they are not sealed yet. */
  readonly upToId: number;
}
