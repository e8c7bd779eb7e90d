/** How many calls one user may make in a window: all calls, and successful ones. */
export interface ModelRateLimit {
  /** 0 or less means no limit. */
  readonly total: number;
  readonly succeeded: number;
  readonly windowMs: number;
}

/** A reservation in the user's limit of successful calls, made when the call begins and given back if it fails. */
export interface ModelRatePlace {
  readonly userId: number;
  readonly windowMs: number;
  readonly takenAtMs: number;
  /** Whether only this node counted it, because the shared counter did not answer. */
  readonly alone?: true;
}

/** Whether a call may proceed, and what is left of its limit. */
export interface ModelRateOutcome {
  readonly state: 'allowed' | 'total_reached' | 'succeeded_reached';
  /** The tighter of the two limits: how many calls it allows, how many are left, and when the next one is free. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
  /** Missing if successes are not limited, or the call was refused. */
  readonly place?: ModelRatePlace;
}

/**
 * Counts calls, with one fixed-size counter for each user. Answers at once if the counters are in this process, with a
 * promise if several nodes share them.
 */
export interface ModelRateLimiter {
  /**
   * Counts one call, as successful until it fails, so that concurrent calls cannot exceed the success limit. If the
   * limit is reached, refuses the call and counts nothing.
   */
  begin(userId: number, limit: ModelRateLimit, nowMs: number): ModelRateOutcome | Promise<ModelRateOutcome>;
  /** Gives back the reservation of a failed call. Those of a killed node expire when their window ends. */
  giveBack(place: ModelRatePlace, nowMs: number): void;
  /** Counts a success that was not reserved: another turn of a realtime conversation. */
  succeeded(userId: number, limit: ModelRateLimit, nowMs: number): void;
}
