import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#core/clock.ts';
import type { ListedSession, Session, SessionStore, SignInProof } from '#core/session/session-store.ts';
import { DAY_MS } from '#core/time/spans.ts';

/** A session ends after 30 days, however much it is used. */
export const SESSION_MAX_AGE_MS = 30 * DAY_MS;
/** How long a proof of identity is fresh enough for dangerous operations. */
const FRESH_MS = 600_000;
const IDLE_MAX_MS = 7 * DAY_MS;
/** A visit is stored at most this often, so that reading does not write each time. */
const TOUCH_EVERY_MS = 300_000;
/** How long a session that another node ended may stay cached here. */
const BELIEVE_MS = 1000;
const BELIEVED_MAX = 10_000;

/** For secrets that only need to be recognised: the hash is stored in their place. */
export const sha256 = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The client somebody signs in from. */
export interface From {
  readonly ip: string;
  readonly userAgent: string;
}

/** A live session: its user, and until when its proof of identity is fresh. */
export interface FoundSession {
  readonly userId: number;
  readonly hash: string;
  readonly freshUntilMs: number;
}

/** Sign-ins of browsers. Only the hash of an id is stored. */
export interface Sessions {
  /**
   * Starts a fresh session.
   * @returns its id, for the cookie only; undefined if the account's state no longer permits signing in, or the proof
   * does not hold any more
   */
  start(userId: number, from: From, proof?: SignInProof): Promise<string | undefined>;
  /** The user of a live session; undefined if it is unknown, ended, idle for 7 days or 30 days old. */
  find(id: string): Promise<FoundSession | undefined>;
  listOf(userId: number): Promise<readonly ListedSession[]>;
  /** Makes the session fresh again: its owner has just proved their identity. */
  refresh(hash: string): Promise<void>;
  /**
   * Ends one of a user's own sessions.
   * @returns whether there was one
   */
  endOwn(userId: number, hash: string): Promise<boolean>;
  end(hash: string): Promise<void>;
  /** Ends every session of a user at once, except `keepHash`. */
  endAllOf(userId: number, keepHash?: string): Promise<void>;
  /** The same, and ends the access token: for a new password, a ban, another rank. */
  endAccessOf(userId: number, keepHash?: string): Promise<void>;
}

/** Stored sessions, each cached for a moment, so that not every call reads the database. */
const createBelieved = (store: SessionStore, clock: Pick<Clock, 'monotonic'>) => {
  const believed = new Map<string, { readonly session: Session; readonly untilMs: number }>();
  let changes = 0;

  return {
    async load(hash: string): Promise<Session | undefined> {
      const nowMs = clock.monotonic();
      const known = believed.get(hash);
      if (known !== undefined && known.untilMs > nowMs) return known.session;
      const before = changes;
      const session = await store.find(hash);
      believed.delete(hash);
      // A session read before a change is not cached after it.
      if (session === undefined || before !== changes) return session;
      if (believed.size >= BELIEVED_MAX) believed.clear();
      believed.set(hash, { session, untilMs: nowMs + BELIEVE_MS });
      return session;
    },
    forget(hash: string): void {
      changes += 1;
      believed.delete(hash);
    },
    forgetAllOf(userId: number, keepHash: string | undefined): void {
      changes += 1;
      for (const [hash, { session }] of believed)
        if (session.userId === userId && hash !== keepHash) believed.delete(hash);
    },
  };
};

/** Sessions of a store; one ended on this node ends at once. */
export const createSessions = (store: SessionStore, clock: Clock): Sessions => {
  const { load, forget, forgetAllOf } = createBelieved(store, clock);

  const end = async (hash: string): Promise<void> => {
    await store.end(hash);
    forget(hash);
  };

  return {
    async start(userId, { ip, userAgent }, proof) {
      const id = randomBytes(32).toString('base64url');
      const nowMs = clock.now();
      const session = {
        userId,
        createdAtMs: nowMs,
        lastSeenAtMs: nowMs,
        expiresAtMs: nowMs + SESSION_MAX_AGE_MS,
        freshUntilMs: nowMs + FRESH_MS,
        ip,
        userAgent: userAgent.slice(0, 300),
      };
      return (await store.create(sha256(id), session, proof)) ? id : undefined;
    },
    async find(id) {
      const hash = sha256(id);
      const nowMs = clock.now();
      const session = await load(hash);
      if (session === undefined) return undefined;
      const { userId, lastSeenAtMs, freshUntilMs } = session;
      // Its row stays for a while: if the clock was wrong, nobody has to sign in again once it is right.
      if (nowMs >= session.expiresAtMs || nowMs - lastSeenAtMs >= IDLE_MAX_MS) return undefined;
      if (nowMs - lastSeenAtMs >= TOUCH_EVERY_MS) {
        await store.touch(hash, nowMs);
        forget(hash);
      }
      // A later time than any proof gives is from before the clock was set back.
      return { userId, hash, freshUntilMs: freshUntilMs > nowMs + 2 * FRESH_MS ? 0 : freshUntilMs };
    },
    listOf: (userId) => store.listOf(userId, clock.now()),
    async refresh(hash) {
      await store.setFresh(hash, clock.now() + FRESH_MS);
      forget(hash);
    },
    async endOwn(userId, hash) {
      const wasThere = await store.endOwn(userId, hash);
      forget(hash);
      return wasThere;
    },
    end,
    async endAllOf(userId, keepHash) {
      await store.endAllOf(userId, keepHash);
      forgetAllOf(userId, keepHash);
    },
    async endAccessOf(userId, keepHash) {
      await store.endAccessOf(userId, keepHash);
      forgetAllOf(userId, keepHash);
    },
  };
};
