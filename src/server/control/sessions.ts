import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#core/clock.ts';
import type { ListedSession, Session, SessionStore } from '#core/session/session-store.ts';

const DAY_MS = 86_400_000;
export const SESSION_MAX_AGE_MS = 30 * DAY_MS;
/** How long a proof of who somebody is counts for what is dangerous. */
const FRESH_MS = 600_000;
const IDLE_MAX_MS = 7 * DAY_MS;
/** A visit is noted at most this often: reading must not write each time. */
const TOUCH_EVERY_MS = 300_000;
/** How long a session that another node ended may still be believed here. */
export const BELIEVE_MS = 1000;
const BELIEVED_MAX = 10_000;

/** What is stored instead of a secret that only needs to be recognised. */
export const sha256 = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export interface FoundSession {
  readonly userId: number;
  readonly hash: string;
  readonly freshUntilMs: number;
}

export interface Sessions {
  /** Starts a session; who just signed in is fresh. @returns its id, for the cookie alone */
  start(userId: number, ip: string, userAgent: string): Promise<string>;
  /** The user of a live session; undefined when it is unknown, ended, idle for 7 days or 30 days old. */
  find(id: string): Promise<FoundSession | undefined>;
  listOf(userId: number): Promise<readonly ListedSession[]>;
  /** Its owner has just proved again who it is. */
  refresh(hash: string): Promise<void>;
  /** Ends one of a user's own. @returns whether it was there */
  endOwn(userId: number, hash: string): Promise<boolean>;
  end(hash: string): Promise<void>;
  /** Ends every session of a user at once, but for the one that is kept. */
  endAllOf(userId: number, keepHash?: string): Promise<void>;
}

/** Sessions in the store, each believed for a moment so that not every call asks; what ends here, ends at once. */
export const createSessions = (store: SessionStore, clock: Clock): Sessions => {
  const believed = new Map<string, { readonly session: Session; readonly untilMs: number }>();

  const load = async (hash: string, nowMs: number): Promise<Session | undefined> => {
    const known = believed.get(hash);
    if (known !== undefined && known.untilMs > nowMs) return known.session;
    const session = await store.find(hash);
    believed.delete(hash);
    if (session === undefined) return undefined;
    if (believed.size >= BELIEVED_MAX) believed.clear();
    believed.set(hash, { session, untilMs: nowMs + BELIEVE_MS });
    return session;
  };

  const end = async (hash: string): Promise<void> => {
    await store.end(hash);
    believed.delete(hash);
  };

  return {
    async start(userId, ip, userAgent) {
      const id = randomBytes(32).toString('base64url');
      const nowMs = clock.now();
      await store.create(sha256(id), {
        userId,
        createdAtMs: nowMs,
        lastSeenAtMs: nowMs,
        expiresAtMs: nowMs + SESSION_MAX_AGE_MS,
        freshUntilMs: nowMs + FRESH_MS,
        ip,
        userAgent: userAgent.slice(0, 300),
      });
      return id;
    },
    async find(id) {
      const hash = sha256(id);
      const nowMs = clock.now();
      const session = await load(hash, nowMs);
      if (session === undefined) return undefined;
      if (nowMs >= session.expiresAtMs || nowMs - session.lastSeenAtMs >= IDLE_MAX_MS) {
        await end(hash);
        return undefined;
      }
      if (nowMs - session.lastSeenAtMs >= TOUCH_EVERY_MS) {
        await store.touch(hash, nowMs);
        believed.delete(hash);
      }
      return { userId: session.userId, hash, freshUntilMs: session.freshUntilMs };
    },
    listOf: (userId) => store.listOf(userId, clock.now()),
    async refresh(hash) {
      await store.setFresh(hash, clock.now() + FRESH_MS);
      believed.delete(hash);
    },
    async endOwn(userId, hash) {
      const wasThere = await store.endOwn(userId, hash);
      believed.delete(hash);
      return wasThere;
    },
    end,
    async endAllOf(userId, keepHash) {
      await store.endAllOf(userId, keepHash);
      for (const [hash, { session }] of believed) {
        if (session.userId === userId && hash !== keepHash) believed.delete(hash);
      }
    },
  };
};
