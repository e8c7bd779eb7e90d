/** How many calls one user may make in a window: of any outcome, and of those that succeeded. */
export interface ModelRateLimit {
  /** 0 or less means no limit. */
  readonly total: number;
  readonly succeeded: number;
  readonly windowMs: number;
}

/** The place a call has among those that succeed, from its begin on; it is given back where the call fails. */
export interface ModelRatePlace {
  readonly userId: number;
  readonly windowMs: number;
  readonly takenAtMs: number;
}

export interface ModelRateOutcome {
  readonly state: 'allowed' | 'total_reached' | 'succeeded_reached';
  /** Of the limit that is nearer: how many calls it allows, how many are left, and until there is one more. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
  /** Absent where successes are not limited, or the call was refused. */
  readonly place?: ModelRatePlace;
}

/**
 * Counts calls for each user; a counter a user, however high the limit. The answer is immediate where the counters are
 * in this process and a promise where several nodes share them.
 */
export interface ModelRateLimiter {
  /**
   * Counts one call, and as one that succeeds until it turns out otherwise: of many at once no more are let through than
   * may succeed. Refuses and counts nothing where it is one too many.
   */
  begin(userId: number, limit: ModelRateLimit, nowMs: number): ModelRateOutcome | Promise<ModelRateOutcome>;
  /** The call failed: another may have its place. What a node that was killed had taken is free again with its window. */
  giveBack(place: ModelRatePlace, nowMs: number): void;
  /** Counts a success that had no place: of a conversation that goes on. */
  succeeded(userId: number, limit: ModelRateLimit, nowMs: number): void;
}
