/** Calls to a channel or key in one piece of a day, of all nodes together. */
export interface SeatCalls {
  /** Twice the id of a channel, or one more than twice the id of a key. */
  readonly seat: number;
  /** Which piece of time, counted from 1970; a day has twelve. */
  readonly piece: number;
  readonly calls: number;
}

/** How often channels and keys were called lately: for limits of a day, across restarts and nodes. */
export interface SeatDayStore {
  /** Adds to what is there. A seat and piece may come once. */
  add(calls: readonly SeatCalls[]): Promise<void>;
  /** Everything from this piece on. */
  since(piece: number): Promise<readonly SeatCalls[]>;
  deleteBefore(piece: number): Promise<void>;
}
