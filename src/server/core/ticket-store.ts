/** Something that is good once and not for long: a mailed code, a sign-in under way. */
export interface Ticket {
  /** What it is for: tickets of one kind never stand in for another. */
  readonly kind: string;
  /** What it is found by: an address, a hash. Secrets are never a key as they are. */
  readonly key: string;
  readonly value: string;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** Tickets live in the database: they hold on every node and over a restart. */
export interface TicketStore {
  /** Keeps a ticket in place of any under the same key; its tries begin anew. */
  put(ticket: Ticket): Promise<void>;
  /** Keeps it only where no valid one is. @returns false when one is there */
  claim(ticket: Ticket): Promise<boolean>;
  /** When a valid one was made; undefined where there is none. */
  madeAtMs(kind: string, key: string, nowMs: number): Promise<number | undefined>;
  /** Counts a try, and answers the value while it was not one too many. */
  attempt(kind: string, key: string, maxTries: number, nowMs: number): Promise<string | undefined>;
  /** Uses a valid ticket up: of several that ask at once, one gets its value. */
  take(kind: string, key: string, nowMs: number): Promise<string | undefined>;
  deleteExpired(nowMs: number): Promise<void>;
}
