/** Counts actions per time window. Stored in the database, so restarts and other nodes do not reset them. */
export interface CountStore {
  /** Adds one to the key's current window, or opens a new window. @returns the new count and when the window ends */
  count(
    key: string,
    windowMs: number,
    nowMs: number,
  ): Promise<{ readonly count: number; readonly endsAtMs: number }>;
  /** Takes one from the key's count. */
  uncount(key: string): Promise<void>;
  forget(key: string): Promise<void>;
  deleteEnded(nowMs: number): Promise<void>;
}
