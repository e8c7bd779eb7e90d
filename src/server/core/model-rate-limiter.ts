/** How many calls one user may make in a window: of any outcome, and of those that succeeded. */
export interface ModelRateLimit {
  /** 0 or less means no limit. */
  readonly total: number;
  readonly succeeded: number;
  readonly windowMs: number;
}

export interface ModelRateOutcome {
  readonly state: 'allowed' | 'total_reached' | 'succeeded_reached';
  /** Of the limit that is nearer: how many calls it allows, how many are left, and until there is one more. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/**
 * Counts calls for each user; a counter a user, however high the limit. The answer is immediate where the counters are
 * in this process and a promise where several nodes share them.
 */
export interface ModelRateLimiter {
  /** Counts one call, or refuses and counts nothing. */
  begin(userId: number, limit: ModelRateLimit, nowMs: number): ModelRateOutcome | Promise<ModelRateOutcome>;
  succeeded(userId: number, limit: ModelRateLimit, nowMs: number): void;
}
