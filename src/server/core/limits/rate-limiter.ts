/** Counts actions per key in a time window. Limits are fixed when it is made. */
export interface RateLimiter {
  /**
   * Counts one action. If it exceeds the limit, `ok` is false and `retryAfterSeconds` (at least 1) says how long to
   * wait.
   */
  take(key: string): Promise<{ readonly ok: boolean; readonly retryAfterSeconds: number }>;
  /** Resets the count of a key. */
  forget(key: string): Promise<void>;
}

/** Counts guesses of many people under one key. One right guess must not forgive the wrong ones of others. */
export interface SharedLimiter extends RateLimiter {
  /** Uncounts an action that turned out not to be a guess. */
  giveBack(key: string): Promise<void>;
}
