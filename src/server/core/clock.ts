/** Injected time: wall time for records, monotonic time for durations. Both in milliseconds. */
export interface Clock {
  now(): number;
  monotonic(): number;
}

export const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Injected randomness. */
export interface Random {
  /** At least 0, below 1. */
  unit(): number;
  /** Returns `length` unpredictable characters of `[0-9A-Za-z]`. */
  alphanumeric(length: number): string;
}
