/** Whether one more is allowed, and if not, when to come back. */
export interface LimitOutcome {
  readonly allowed: boolean;
  /** 0 when allowed. */
  readonly retryAfterSeconds: number;
}

/** A number of points in a span of time for each key. Bounded in memory: the oldest keys are forgotten first. */
export interface RateLimiter {
  /** Takes `points` (1 when not given) for the key, or refuses and takes nothing more. */
  take(key: string, points?: number): Promise<LimitOutcome>;
  /** Says whether the key is used up, without taking. */
  isBlocked(key: string): Promise<LimitOutcome>;
  /** Forgets what the key has taken, as after a login that worked. */
  reset(key: string): Promise<void>;
}
