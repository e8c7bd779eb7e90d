import { DEFAULT_GROUP, logType, role, userStatus } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger, MovementKind } from '#core/ledger/ledger.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { RateLimiter } from '#core/rate-limiter.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Actor } from './identity.ts';
import type { Passwords } from './passwords.ts';
import { refuse, sayError, tooMany } from './refuse.ts';
import { type Sessions, sha256 } from './sessions.ts';

const AFF_CODE_LENGTH = 8;
const ACCESS_TOKEN_LENGTH = 32;

export interface AccountDeps {
  readonly users: UserStore;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly ledger: Pick<Ledger, 'move'>;
  readonly logs: Pick<LogStore, 'append'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
  readonly random: Random;
  /** Attempts to sign in, counted by account name. */
  readonly loginLimit: RateLimiter;
}

export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly repeated: string | undefined;
  readonly affCode: string | undefined;
}

export interface ProfileChange {
  readonly username: string | undefined;
  readonly displayName: string | undefined;
  readonly password: string | undefined;
  readonly originalPassword: string | undefined;
}

/** Everything people do with their own account. Refusals are thrown. */
export type Accounts = ReturnType<typeof createAccounts>;

export const createAccounts = (deps: AccountDeps) => {
  const { users, sessions, passwords, random } = deps;
  const gift = createGift(deps);

  return {
    async register({ username, password, repeated, affCode }: Registration): Promise<void> {
      const options = deps.options();
      if (!options.RegisterEnabled) throw refuse('register_off');
      if (!options.PasswordRegisterEnabled) throw refuse('password_register_off');
      if (repeated !== undefined && repeated !== password) throw refuse('passwords_differ');
      const inviter = affCode ? await users.byAffCode(affCode) : undefined;
      const id = await users.create({
        username, displayName: username, email: '', passwordHash: await passwords.hash(password),
        role: role.user, group: DEFAULT_GROUP, affCode: random.alphanumeric(AFF_CODE_LENGTH),
        inviterId: inviter?.id ?? 0, createdAtMs: deps.clock.now(),
      });
      if (id === 'taken') throw refuse('name_taken');
      await gift('grant', `new-user:${id}`, { id, username }, options.QuotaForNewUser, 'quota for a new user');
      if (inviter === undefined) return;
      await gift('grant', `invitee:${id}`, { id, username }, options.QuotaForInvitee, 'quota for using an invite code');
      await gift('invite', `inviter:${id}`, inviter, options.QuotaForInviter, `quota for inviting user ${id}`);
    },

    /** @returns the user and a new session id; the same refusal, in the same time, whatever was wrong. */
    async login(login: string, password: string, from: { readonly ip: string; readonly userAgent: string }): Promise<{
      readonly user: User;
      readonly sessionId: string;
    }> {
      if (!deps.options().PasswordLoginEnabled) throw refuse('password_login_off');
      const name = login.trim();
      const counted = name.toLowerCase();
      const { ok, retryAfterSeconds } = await deps.loginLimit.take(counted);
      if (!ok) throw tooMany(retryAfterSeconds);
      const user = name === '' ? undefined : await users.byLogin(name);
      if (!(await passwords.verify(password, user?.passwordHash)) || user === undefined) throw refuse('wrong_login');
      if (user.status !== userStatus.enabled) throw refuse('user_banned');
      await deps.loginLimit.forget(counted);
      return { user, sessionId: await sessions.start(user.id, from.ip, from.userAgent) };
    },

    async changeProfile({ user, sessionHash }: Actor, change: ProfileChange): Promise<void> {
      if (change.password) {
        const right = await passwords.verify(change.originalPassword ?? '', await users.passwordHashOf(user.id));
        if (!right) throw refuse('wrong_password');
      }
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

/** Credits a gift once and writes it down. Nothing happens where the operator gives nothing. */
const createGift = ({ ledger, logs, clock }: AccountDeps) =>
  async (
    kind: MovementKind, ref: string, to: { readonly id: number; readonly username: string }, quotaUnits: number, reason: string,
  ): Promise<void> => {
    if (quotaUnits === 0) return;
    const nowMs = clock.now();
    const outcome = await ledger.move({ kind, ref, userId: to.id, deltaUnits: quotaUnits, reason, actorId: 0, nowMs });
    if (outcome !== 'moved') return;
    await logs.append({ createdAtMs: nowMs, type: logType.system, userId: to.id, username: to.username, content: reason, quotaUnits });
  };
