/** Server-side sessions. The cookie holds a random id; the store keeps only its SHA-256. */
export interface Session {
  readonly userId: number;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
  /** Until when its owner need not prove again who it is; for what is dangerous. */
  readonly freshUntilMs: number;
}

/** A session as its owner sees it in a list. */
export interface ListedSession extends Session {
  readonly idHash: string;
  readonly ip: string;
  readonly userAgent: string;
}

export interface SessionStore {
  create(
    idHash: string,
    session: Session & { readonly ip: string; readonly userAgent: string },
  ): Promise<void>;
  find(idHash: string): Promise<Session | undefined>;
  /** Of one user, the one used last first; those past their end left out. */
  listOf(userId: number, nowMs: number): Promise<readonly ListedSession[]>;
  setFresh(idHash: string, freshUntilMs: number): Promise<void>;
  /** Only where it is the user's. @returns whether it was there */
  endOwn(userId: number, idHash: string): Promise<boolean>;
  touch(idHash: string, lastSeenAtMs: number): Promise<void>;
  end(idHash: string): Promise<void>;
  /** Ends every session of a user, but for the one with `exceptIdHash`. */
  endAllOf(userId: number, exceptIdHash?: string): Promise<void>;
  deleteExpired(nowMs: number): Promise<void>;
}
