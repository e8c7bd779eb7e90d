/** Deletes old logs. The sums stay, so usage and charges remain known. */
export interface LogClearingStore {
  /** Counts the older rows. */
  countBefore(beforeMs: number): Promise<number>;
  /** Deletes at most `limit` of the oldest rows, in one transaction with the sums that count rows. @returns how many */
  deleteSomeBefore(beforeMs: number, limit: number): Promise<number>;
}
