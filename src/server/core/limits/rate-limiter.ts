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

/** Counts guesses of many people under one key, where one who is right must not forgive the others. */
export interface SharedLimiter extends RateLimiter {
  /** Takes back one action that was counted and was no guess. */
  giveBack(key: string): Promise<void>;
}
