/** How many calls one user may make in a window: all calls, and successful ones. */
export interface ModelRateLimit {
  /** 0 or less means no limit. */
  readonly total: number;
  readonly succeeded: number;
  readonly windowMs: number;
}

/** A place among the user's successful calls, taken when the call begins and given back if it fails. */
export interface ModelRatePlace {
  readonly userId: number;
  readonly windowMs: number;
  readonly takenAtMs: number;
  /** Counted by this node alone, while what counts for all did not answer. */
  readonly alone?: true;
}

/** Whether a call may go on, and what is left of its limit. */
export interface ModelRateOutcome {
  readonly state: 'allowed' | 'total_reached' | 'succeeded_reached';
  /** The nearer of the two limits: how many calls it allows, how many are left, and when the next one is free. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
  /** Absent if successes are not limited, or the call was refused. */
  readonly place?: ModelRatePlace;
}

/**
 * Counts calls, with one fixed-size counter for each user. Answers at once if the counters are in this process, with a
 * promise if several nodes share them.
 */
export interface ModelRateLimiter {
  /**
   * Counts one call, and counts it as successful until it fails: so concurrent calls cannot exceed the success limit.
   * If the call is one too many, refuses it and counts nothing.
   */
  begin(userId: number, limit: ModelRateLimit, nowMs: number): ModelRateOutcome | Promise<ModelRateOutcome>;
  /** Gives back the place of a failed call. Places of a node that was killed become free when their window ends. */
  giveBack(place: ModelRatePlace, nowMs: number): void;
  /** Counts a success that took no place: another turn of a realtime conversation. */
  succeeded(userId: number, limit: ModelRateLimit, nowMs: number): void;
}
