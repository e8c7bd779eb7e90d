import { isRoot } from '#contract/may.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Entered, Entry } from './entry.ts';
import { requireFresh, requireSession } from './fresh.ts';
import type { Actor } from '../identity.ts';
import type { KnownDevices } from './known-devices.ts';
import type { ProvenCredential } from './passkey-ceremony.ts';
import type { Passkeys } from './passkeys.ts';
import type { Passwords } from './passwords.ts';
import type { PasswordGuesses } from './password-guesses.ts';
import { readUsername } from './read-username.ts';
import { refuse, sayError } from '../../refuse.ts';
import type { SecondFactors } from './second-factor.ts';
import { type From, type Sessions, sha256 } from './sessions.ts';
import type { TellOwner } from './tell-owner.ts';

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
  readonly tellOwner: TellOwner;
  readonly knownDevices: Pick<KnownDevices, 'numberFor'>;
}

/** What users may change about themselves; undefined leaves a field as it is. */
export interface ProfileChange {
  readonly username: string | undefined;
  readonly displayName: string | undefined;
  readonly password: string | undefined;
  readonly originalPassword: string | undefined;
}

/** One of these fields is set. */
export interface Proof {
  readonly password: string | undefined;
  readonly code: string | undefined;
  readonly credential: ProvenCredential | undefined;
}

/** What users do with their own account. Refusals are thrown. */
export type Accounts = ReturnType<typeof createAccounts>;

const createProofs = ({ users, passwords, guesses, clock }: AccountDeps) => {
  /** @returns the hash of the right password */
  const checkPassword = async (userId: number, password: string): Promise<string> => {
    await guesses.countOwn(userId);
    const hash = await users.passwordHashOf(userId);
    if (!(await passwords.verify(password, hash || undefined)) || hash === undefined)
      throw refuse('wrong_password');
    await guesses.forgiveOwn(userId);
    return hash;
  };
  return {
    checkPassword,
    /**
     * Proves the identity of whoever sets a new password. @returns the hash to replace, empty if there was no password
     */
    proveOwner: async (actor: Actor, originalPassword: string): Promise<string> => {
      if (await users.passwordHashOf(actor.user.id)) return checkPassword(actor.user.id, originalPassword);
      requireFresh(actor, clock.now());
      return '';
    },
  };
};

/** Sign-in, profiles and the deletion of accounts. Refusals are thrown. */
export const createAccounts = (deps: AccountDeps) => {
  const { users, sessions, passwords, random, guesses } = deps;
  const { checkPassword, proveOwner } = createProofs(deps);

  return {
    /**
     * Signs in by username or e-mail. Every failure gives the same refusal in the same time. If password sign-in is
     * disabled, the super admin can still use it, so that nobody is locked out for good.
     */
    async login(
      login: string,
      password: string,
      from: From & { readonly device: string | undefined },
    ): Promise<Entered> {
      const name = login.trim();
      if (name === '' || password === '') throw refuse('login_incomplete');
      const user = await users.byLogin(name);
      const guess = { name, ip: from.ip, device: deps.knownDevices.numberFor(from.device, user) };
      await guesses.count(guess);
      const isRight = await passwords.verify(password, user?.passwordHash || undefined);
      if (!deps.options().PasswordLoginEnabled && !(isRight && user !== undefined && isRoot(user)))
        throw refuse('password_login_off');
      if (!isRight || user === undefined) throw refuse('wrong_login');
      const entered = await deps.entry.enter(user, from, { passwordHash: user.passwordHash });
      await guesses.forgive(guess);
      return entered;
    },

    /** A new password needs a session and the old one; an account without a password needs a fresh sign-in instead. */
    async changeProfile(actor: Actor, change: ProfileChange): Promise<void> {
      const { user, sessionHash } = actor;
      if (change.password) requireSession(actor);
      const replaced = change.password ? await proveOwner(actor, change.originalPassword ?? '') : '';
      // Checked before the name changes, because it may fail if too many are waiting.
      const hash = change.password ? await passwords.hash(change.password) : undefined;
      const isRenamed = change.username !== undefined && change.username !== user.username;
      const outcome = await users.updateProfile(user.id, {
        ...(isRenamed ? { username: readUsername(change.username ?? '') } : {}),
        ...(change.displayName === undefined ? {} : { displayName: change.displayName }),
      });
      if (outcome === 'taken') throw refuse('name_taken');
      if (outcome === 'missing') throw sayError('unauthenticated', 'not_signed_in');
      if (hash === undefined) return;
      // An admin, or a mailed link, may have set another password meanwhile; that one stays.
      if (!(await users.setPasswordHash(user.id, hash, replaced))) throw refuse('wrong_password');
      await sessions.endAccessOf(user.id, sessionHash);
      deps.tellOwner(user, 'password');
    },

    /**
     * Confirms who the user is, by password, second factor or passkey. Valid for ten minutes, for dangerous operations.
     */
    async confirm({ user, sessionHash }: Actor, proof: Proof, origin: string): Promise<void> {
      if (sessionHash === undefined) throw sayError('forbidden', 'fresh_password_needed');
      if (proof.password !== undefined) await checkPassword(user.id, proof.password);
      else if (proof.credential === undefined) await deps.secondFactors.prove(user, proof.code ?? '');
      else if ((await deps.ownPasskeys.prove(proof.credential, origin)).id !== user.id)
        throw refuse('passkey_unknown');
      await sessions.refresh(sessionHash);
    },

    hasPassword: async (userId: number): Promise<boolean> => Boolean(await users.passwordHashOf(userId)),

    /** Creates a system access token; the old one ends at once. Shown once, stored as a hash. */
    async makeAccessToken({ user, sessionHash }: Actor): Promise<string> {
      const token = random.alphanumeric(ACCESS_TOKEN_LENGTH);
      if (!(await users.setAccessTokenHash(user.id, sha256(token), sessionHash)))
        throw sayError('unauthenticated', 'not_signed_in');
      deps.tellOwner(user, 'access_token');
      return token;
    },
  };
};
