/** Calls to a channel or key in one part of a day, over all nodes. */
export interface SeatCalls {
  /** Twice the id of a channel, or one more than twice the id of a key. */
  readonly seat: number;
  /** The number of the two-hour period since 1970; a day has twelve. */
  readonly piece: number;
  readonly calls: number;
}

/** Recent call counts of channels and keys, for daily limits across restarts and nodes. */
export interface SeatDayStore {
  /** Adds to the stored counts. Each seat and period may occur once. */
  add(calls: readonly SeatCalls[]): Promise<void>;
  /** Reads everything from this period on. */
  since(piece: number): Promise<readonly SeatCalls[]>;
  deleteBefore(piece: number): Promise<void>;
}
