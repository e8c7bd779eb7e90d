import { newUsername } from '#contract/api/session.ts';
import { userStatus } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { RateLimiter } from '#core/rate-limiter.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Actor } from './identity.ts';
import type { Passwords } from './passwords.ts';
import { refuse, sayError, tooMany } from './refuse.ts';
import { type Sessions, sha256 } from './sessions.ts';

const ACCESS_TOKEN_LENGTH = 32;

export interface AccountDeps {
  readonly users: UserStore;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly options: () => OptionValues;
  readonly clock: Clock;
  readonly random: Random;
  /** Attempts to guess a password, counted by account name. */
  readonly loginLimit: RateLimiter;
}

export interface ProfileChange {
  readonly username: string | undefined;
  readonly displayName: string | undefined;
  readonly password: string | undefined;
  readonly originalPassword: string | undefined;
}

/** What people do with their own account. Refusals are thrown. */
export type Accounts = ReturnType<typeof createAccounts>;

export const createAccounts = (deps: AccountDeps) => {
  const { users, sessions, passwords, random } = deps;

  const countGuess = async (name: string): Promise<void> => {
    const { ok, retryAfterSeconds } = await deps.loginLimit.take(name.toLowerCase());
    if (!ok) throw tooMany(retryAfterSeconds);
  };

  return {
    /** @returns the user and a new session id; the same refusal, in the same time, whatever was wrong. */
    async login(
      login: string,
      password: string,
      from: { readonly ip: string; readonly userAgent: string },
    ): Promise<{
      readonly user: User;
      readonly sessionId: string;
    }> {
      if (!deps.options().PasswordLoginEnabled) throw refuse('password_login_off');
      const name = login.trim();
      await countGuess(name);
      const user = name === '' ? undefined : await users.byLogin(name);
      if (!(await passwords.verify(password, user?.passwordHash)) || user === undefined)
        throw refuse('wrong_login');
      if (user.status !== userStatus.enabled) throw refuse('user_banned');
      await deps.loginLimit.forget(name.toLowerCase());
      return { user, sessionId: await sessions.start(user.id, from.ip, from.userAgent) };
    },

    async changeProfile({ user, sessionHash }: Actor, change: ProfileChange): Promise<void> {
      if (change.password) {
        await countGuess(user.username);
        const right = await passwords.verify(
          change.originalPassword ?? '',
          await users.passwordHashOf(user.id),
        );
        if (!right) throw refuse('wrong_password');
      }
      if (change.username !== undefined && change.username !== user.username) checkUsername(change.username);
      const outcome = await users.updateProfile(user.id, {
        ...(change.username === undefined ? {} : { username: change.username }),
        ...(change.displayName === undefined ? {} : { displayName: change.displayName }),
      });
      if (outcome === 'taken') throw refuse('name_taken');
      if (outcome === 'missing') throw sayError('unauthenticated', 'not_signed_in');
      if (!change.password) return;
      await users.setPasswordHash(user.id, await passwords.hash(change.password));
      await sessions.endAllOf(user.id, sessionHash);
    },

    /** A new system access token; the old one ends at once. Shown this once, stored as a hash. */
    async makeAccessToken(userId: number): Promise<string> {
      const token = random.alphanumeric(ACCESS_TOKEN_LENGTH);
      await users.setAccessTokenHash(userId, sha256(token));
      return token;
    },
  };
};

const checkUsername = (username: string): void => {
  const read = newUsername.safeParse(username);
  if (read.success) return;
  const issue = read.error.issues[0]?.message ?? '';
  throw sayError('invalid_request', 'invalid_parameter', { field: 'username', issue });
};
