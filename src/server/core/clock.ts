/** Time as it is passed in: wall time for records, monotonic time for durations. Both in milliseconds. */
export interface Clock {
  now(): number;
  monotonic(): number;
}

/** Dice as they are passed in. */
export interface Random {
  /** At least 0, below 1. */
  unit(): number;
  /** `length` characters of `[0-9A-Za-z]`, unpredictable. */
  alphanumeric(length: number): string;
}
