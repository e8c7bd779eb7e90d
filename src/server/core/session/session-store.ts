import type { ServiceName } from '#contract/sign-in-services.ts';

/** How somebody proved who they are. All of it must still hold when the session begins. */
export interface SignInProof {
  /**
   * The password's hash: of the password that was checked, or, if something else proved the identity, as it was then.
   */
  readonly passwordHash?: string | undefined;
  /** The identity at another service. */
  readonly identity?: { readonly service: ServiceName; readonly id: string } | undefined;
  readonly passkeyId?: number | undefined;
  /**
   * A second factor was proven, or a passkey, which counts as both. If false, the account must have no second factor
   * by then.
   */
  readonly hasSecond: boolean;
}

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
   * Creates a session only for an account that exists, is enabled, and whose owner is proven still, if something proved
   * them: checked in the same step as the insert. @returns whether it was created
   */
  create(
    idHash: string,
    session: Session & { readonly ip: string; readonly userAgent: string },
    proof?: SignInProof,
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
  /** The same, and ends the access token with them: none that a session was just making is left. */
  endAccessOf(userId: number, exceptIdHash?: string): Promise<void>;
  deleteExpired(nowMs: number): Promise<void>;
}
