/** Counts what somebody does in a window of time. Limits are fixed when it is made; keys name who is counted. */
export interface RateLimiter {
  /** Counts once. `ok` is false when that was one too many; then it says how long to wait, at least 1 second. */
  take(key: string): Promise<{ readonly ok: boolean; readonly retryAfterSeconds: number }>;
  /** Forgets a key: what was counted no longer stands against it. */
  forget(key: string): Promise<void>;
}
