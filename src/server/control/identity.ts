import { userStatus } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { sayError } from './refuse.ts';
import { type Sessions, sha256 } from './sessions.ts';

/** Who calls: the account as it is now, and how it proved itself. */
export interface Actor {
  readonly user: User;
  readonly via: 'session' | 'access-token';
  /** The hash of the session it came with; undefined for access tokens. */
  readonly sessionHash: string | undefined;
  /** Until when it need not prove again who it is; 0 for access tokens, which cannot. */
  readonly freshUntilMs: number;
}

/** What a request shows of its caller. */
export interface Credentials {
  readonly sessionId: string | undefined;
  /** The `Authorization` header: a system access token, with or without `Bearer` in front. */
  readonly authorization: string | undefined;
  /** The `New-Api-User` header: a guard against mixed-up accounts, never identity by itself. */
  readonly userHeader: string | undefined;
}

/** Finds the account behind a request. Throws `unauthenticated` unless there is one, enabled, and meant by the header. */
export type Identify = (credentials: Credentials) => Promise<Actor>;

/** Role and status are read from the account each time, never from the session: a ban bites with the next call. */
export const createIdentify = (users: UserStore, sessions: Sessions): Identify => {
  const bySession = async (id: string): Promise<Actor | undefined> => {
    const session = await sessions.find(id);
    const user = session && (await users.byId(session.userId));
    return session && user
      ? { user, via: 'session', sessionHash: session.hash, freshUntilMs: session.freshUntilMs }
      : undefined;
  };

  const byAccessToken = async (authorization: string): Promise<Actor> => {
    const token = authorization.replace(/^bearer\s+/i, '').trim();
    const user = token === '' ? undefined : await users.byAccessTokenHash(sha256(token));
    if (user === undefined) throw sayError('unauthenticated', 'access_token_invalid');
    return { user, via: 'access-token', sessionHash: undefined, freshUntilMs: 0 };
  };

  return async ({ sessionId, authorization, userHeader }) => {
    let actor = sessionId === undefined ? undefined : await bySession(sessionId);
    if (actor === undefined && authorization !== undefined) actor = await byAccessToken(authorization);
    if (actor === undefined || actor.user.deletedAtMs !== null)
      throw sayError('unauthenticated', 'not_signed_in');
    if (userHeader?.trim() !== String(actor.user.id)) throw sayError('unauthenticated', 'user_header');
    if (actor.user.status !== userStatus.enabled) {
      await sessions.endAllOf(actor.user.id);
      throw sayError('unauthenticated', 'user_banned');
    }
    return actor;
  };
};
