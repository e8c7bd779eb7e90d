/** A short-lived value that can be used once: a mailed code, a sign-in in progress. */
export interface Ticket {
  /** Its purpose: a ticket of one kind is not valid for another. */
  readonly kind: string;
  /** What it is looked up by: an address, a hash. Never a plain secret. */
  readonly key: string;
  readonly value: string;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** Tickets are stored in the database, so they work on every node and survive a restart. */
export interface TicketStore {
  /** Stores a ticket, replacing one with the same key; its tries start at 0. */
  put(ticket: Ticket): Promise<void>;
  /** Stores it unless a valid one exists. @returns false if one exists */
  claim(ticket: Ticket): Promise<boolean>;
  /** When the valid ticket was made; undefined if there is none. */
  madeAtMs(kind: string, key: string, nowMs: number): Promise<number | undefined>;
  /** Counts a try and returns the value, unless there were too many. */
  attempt(kind: string, key: string, maxTries: number, nowMs: number): Promise<string | undefined>;
  /** Uses up a valid ticket: of several concurrent callers, only one gets its value. */
  take(kind: string, key: string, nowMs: number): Promise<string | undefined>;
  deleteExpired(nowMs: number): Promise<void>;
}
