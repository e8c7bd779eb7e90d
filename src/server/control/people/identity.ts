import { userStatus } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { sayError } from '../refuse.ts';
import { type Sessions, sha256 } from './sign-in/sessions.ts';

/** The caller: the current account, and how it authenticated. */
export interface Actor {
  readonly user: User;
  readonly via: 'session' | 'access-token';
  /** The hash of its session; undefined for access tokens. */
  readonly sessionHash: string | undefined;
  /** Until when dangerous operations need no new proof of identity; 0 for access tokens, which cannot give one. */
  readonly freshUntilMs: number;
}

/** The credentials in a request. */
export interface Credentials {
  readonly sessionId: string | undefined;
  /** The `Authorization` header: a system access token, with or without `Bearer` in front. */
  readonly authorization: string | undefined;
  /** The `New-Api-User` header: a guard against mixed-up accounts, never proof of identity by itself. */
  readonly userHeader: string | undefined;
}

/** Finds the account behind a request. Throws `unauthenticated` unless it exists, is enabled and matches the header. */
export type Identify = (credentials: Credentials) => Promise<Actor>;

/** Role and status are read from the account on each call and not from the session, so a ban takes effect at once. */
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
