/** Server-side sessions. The cookie holds a random id; the store keeps only its SHA-256. */
export interface Session {
  readonly userId: number;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
}

export interface SessionStore {
  create(
    idHash: string,
    session: Session & { readonly ip: string; readonly userAgent: string },
  ): Promise<void>;
  find(idHash: string): Promise<Session | undefined>;
  touch(idHash: string, lastSeenAtMs: number): Promise<void>;
  end(idHash: string): Promise<void>;
  /** Ends every session of a user, but for the one with `exceptIdHash`. */
  endAllOf(userId: number, exceptIdHash?: string): Promise<void>;
  deleteExpired(nowMs: number): Promise<void>;
}
