/** Counts of what somebody did in a window of time. They live in the database: restarts and other nodes do not reset them. */
export interface CountStore {
  /** Counts once, in the window that runs for the key, else in a new one. @returns the count with this one, and when it ends */
  count(
    key: string,
    windowMs: number,
    nowMs: number,
  ): Promise<{ readonly count: number; readonly endsAtMs: number }>;
  forget(key: string): Promise<void>;
  deleteEnded(nowMs: number): Promise<void>;
}
