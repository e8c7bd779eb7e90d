/** Server-side sessions. The cookie holds a random id; the store keeps only its SHA-256. */
export interface Session {
  readonly userId: number;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
  /** Until then the owner need not prove their identity again before dangerous actions. */
  readonly freshUntilMs: number;
}

/** A session as its owner sees it in a list. */
export interface ListedSession extends Session {
  readonly idHash: string;
  readonly ip: string;
  readonly userAgent: string;
}

/** Stores sessions of the console. Only hashes of their ids are stored. */
export interface SessionStore {
  /**
   * Creates a session only for an account that exists, is enabled, and still has the password that proved its owner's
   * identity, if one did: checked in the same step as the insert. @returns whether it was created
   */
  create(
    idHash: string,
    session: Session & { readonly ip: string; readonly userAgent: string },
    passwordHash?: string,
  ): Promise<boolean>;
  find(idHash: string): Promise<Session | undefined>;
  /** Sessions of one user, last used first; expired ones are left out. */
  listOf(userId: number, nowMs: number): Promise<readonly ListedSession[]>;
  setFresh(idHash: string, freshUntilMs: number): Promise<void>;
  /** Ends it only if it belongs to the user. @returns whether it existed */
  endOwn(userId: number, idHash: string): Promise<boolean>;
  touch(idHash: string, lastSeenAtMs: number): Promise<void>;
  end(idHash: string): Promise<void>;
  /** Ends all of a user's sessions except the one with `exceptIdHash`. */
  endAllOf(userId: number, exceptIdHash?: string): Promise<void>;
  deleteExpired(nowMs: number): Promise<void>;
}
