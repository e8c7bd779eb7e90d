import { isRoot } from '#contract/may.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Entered, Entry, From } from './entry.ts';
import { requireFresh } from './fresh.ts';
import type { Actor } from './identity.ts';
import type { KnownDevices } from './known-devices.ts';
import type { ProvenCredential } from './passkey-ceremony.ts';
import type { Passkeys } from './passkeys.ts';
import type { Passwords } from './passwords.ts';
import type { PasswordGuesses } from './password-guesses.ts';
import { readUsername } from './read-username.ts';
import { refuse, sayError } from './refuse.ts';
import type { SecondFactors } from './second-factor.ts';
import { type Sessions, sha256 } from './sessions.ts';

const ACCESS_TOKEN_LENGTH = 32;

export interface AccountDeps {
  readonly users: UserStore;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly entry: Pick<Entry, 'enter'>;
  readonly secondFactors: Pick<SecondFactors, 'prove'>;
  readonly ownPasskeys: Pick<Passkeys, 'prove'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
  readonly random: Random;
  readonly guesses: PasswordGuesses;
  readonly knownDevices: Pick<KnownDevices, 'numberFor'>;
}

export interface ProfileChange {
  readonly username: string | undefined;
  readonly displayName: string | undefined;
  readonly password: string | undefined;
  readonly originalPassword: string | undefined;
}

/** One of them. */
export interface Proof {
  readonly password: string | undefined;
  readonly code: string | undefined;
  readonly credential: ProvenCredential | undefined;
}

/** What people do with their own account. Refusals are thrown. */
export type Accounts = ReturnType<typeof createAccounts>;

/** New names are kept with narrow letters; whoever registered with wide ones types them again. */
const byTypedName = async (users: Pick<UserStore, 'byLogin'>, name: string) => {
  if (name === '') return undefined;
  const narrow = name.normalize('NFKC');
  return (await users.byLogin(name)) ?? (narrow === name ? undefined : users.byLogin(narrow));
};

export const createAccounts = (deps: AccountDeps) => {
  const { users, sessions, passwords, random, guesses } = deps;

  const checkPassword = async (user: User, password: string): Promise<void> => {
    await guesses.countOwn(user.id);
    const hash = await users.passwordHashOf(user.id);
    if (!(await passwords.verify(password, hash || undefined))) throw refuse('wrong_password');
    await guesses.forgiveOwn(user.id);
  };

  return {
    /**
     * By username or e-mail. The same refusal, in the same time, whatever was wrong. Where signing in by password is
     * switched off the super admin still may: the last way in is never locked.
     */
    async login(
      login: string,
      password: string,
      from: From & { readonly device: string | undefined },
    ): Promise<Entered> {
      const name = login.trim();
      if (name === '' || password === '') throw refuse('login_incomplete');
      const user = await byTypedName(users, name);
      const guess = { name, ip: from.ip, device: deps.knownDevices.numberFor(from.device, user) };
      await guesses.count(guess);
      const isRight = await passwords.verify(password, user?.passwordHash || undefined);
      if (!deps.options().PasswordLoginEnabled && !(isRight && user !== undefined && isRoot(user)))
        throw refuse('password_login_off');
      if (!isRight || user === undefined) throw refuse('wrong_login');
      const entered = await deps.entry.enter(user, from);
      await guesses.forgive(guess);
      return entered;
    },

    /** A new password needs the old one; an account that never had one needs a fresh sign-in instead. */
    async changeProfile(actor: Actor, change: ProfileChange): Promise<void> {
      const { user, sessionHash } = actor;
      if (change.password) {
        if (await users.passwordHashOf(user.id)) await checkPassword(user, change.originalPassword ?? '');
        else requireFresh(actor, deps.clock.now());
      }
      const isRenamed = change.username !== undefined && change.username !== user.username;
      const outcome = await users.updateProfile(user.id, {
        ...(isRenamed ? { username: readUsername(change.username ?? '') } : {}),
        ...(change.displayName === undefined ? {} : { displayName: change.displayName }),
      });
      if (outcome === 'taken') throw refuse('name_taken');
      if (outcome === 'missing') throw sayError('unauthenticated', 'not_signed_in');
      if (!change.password) return;
      await users.setPasswordHash(user.id, await passwords.hash(change.password));
      await sessions.endAllOf(user.id, sessionHash);
    },

    /** Proves again who somebody is, by password, second factor or passkey: ten minutes for what is dangerous. */
    async confirm({ user, sessionHash }: Actor, proof: Proof, origin: string): Promise<void> {
      if (sessionHash === undefined) throw sayError('forbidden', 'fresh_password_needed');
      if (proof.password !== undefined) await checkPassword(user, proof.password);
      else if (proof.credential === undefined) await deps.secondFactors.prove(user, proof.code ?? '');
      else if ((await deps.ownPasskeys.prove(proof.credential, origin)).id !== user.id)
        throw refuse('passkey_unknown');
      await sessions.refresh(sessionHash);
    },

    hasPassword: async (userId: number): Promise<boolean> => Boolean(await users.passwordHashOf(userId)),

    /** A new system access token; the old one ends at once. Shown this once, stored as a hash. */
    async makeAccessToken(userId: number): Promise<string> {
      const token = random.alphanumeric(ACCESS_TOKEN_LENGTH);
      await users.setAccessTokenHash(userId, sha256(token));
      return token;
    },
  };
};
