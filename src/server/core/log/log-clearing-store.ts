/** Old logs, to be deleted. Their sums stay: what was used and charged is known without them. */
export interface LogClearingStore {
  /** How many rows are older. */
  countBefore(beforeMs: number): Promise<number>;
  /** Deletes the oldest of them, at most `limit`, in one transaction with the sums that count rows. @returns how many */
  deleteSomeBefore(beforeMs: number, limit: number): Promise<number>;
}
