import { AFF_CODE_LENGTH } from '#contract/limits.ts';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DEFAULT_GROUP, role } from '#contract/codes.ts';
import type { Clock, Random } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Passwords } from '../people/sign-in/passwords.ts';
import { refuse } from '../refuse.ts';

/** The super admin's initial quota: 200 USD. */
const GIFTS = { ofSetup: 100_000_000, ofNewUser: 0, ofInvitee: 0, ofInviter: 0, inviter: undefined };
/** A row of the options table that is not an option: the nonce of the valid setup link. */
const LINK_KEY = 'internal.setup_link';

/** The one-time link that makes the super admin. */
export const setupLinkOf = (siteUrl: string, secret: string): string => `${siteUrl}/setup?secret=${secret}`;

export interface SetupDeps {
  readonly users: Pick<UserStore, 'exists' | 'createFirst' | 'byId'>;
  readonly options: OptionStore;
  /** Credits gifts that are noted with new accounts. */
  readonly creditOwed: () => Promise<void>;
  readonly vault: Pick<Vault, 'mac'>;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

/** The form of the first start; `secret` is that of the one-time link. */
export interface FirstAccount {
  readonly secret: string;
  readonly username: string;
  readonly password: string;
  readonly repeated: string;
  readonly selfUse: boolean;
  readonly demoSite: boolean;
}

export type Setup = ReturnType<typeof createSetup>;

/**
 * Creates the first account. Whoever has the one-time link can do it, once. The link's secret is derived from a stored
 * nonce and the master key, so that it survives a restart and cannot be read from the database alone.
 */
export const createSetup = (deps: SetupDeps) => {
  const secretOf = (nonce: string): string => deps.vault.mac(`setup-link ${nonce}`);

  const newSecret = async (): Promise<string> => {
    const nonce = randomBytes(16).toString('base64url');
    await deps.options.set(LINK_KEY, nonce, deps.clock.now());
    return secretOf(nonce);
  };

  const currentSecret = async (): Promise<string | undefined> => {
    const nonce = (await deps.options.all()).get(LINK_KEY);
    return nonce === undefined ? undefined : secretOf(nonce);
  };

  return {
    /** Whether the first account exists. */
    isDone: (): Promise<boolean> => deps.users.exists(),

    /** The secret of the valid link, created if there is none; undefined once the first account exists. */
    linkSecret: async (): Promise<string | undefined> =>
      (await deps.users.exists()) ? undefined : ((await currentSecret()) ?? newSecret()),

    /** Creates a new secret; the old link ends. Undefined once the first account exists. */
    renewLinkSecret: async (): Promise<string | undefined> =>
      (await deps.users.exists()) ? undefined : newSecret(),

    /** Creates the super admin, exactly once even for parallel requests. */
    async finish(first: FirstAccount): Promise<User> {
      if (await deps.users.exists()) throw refuse('setup_done');
      const secret = await currentSecret();
      if (secret === undefined || !sameText(secret, first.secret)) throw refuse('setup_secret_wrong');
      if (first.password !== first.repeated) throw refuse('passwords_differ');
      // Before there is an account, so that a setup that is cut short here can be repeated.
      await deps.options.set('SelfUseModeEnabled', String(first.selfUse), deps.clock.now());
      await deps.options.set('DemoSiteEnabled', String(first.demoSite), deps.clock.now());
      const id = await deps.users.createFirst({
        username: first.username,
        displayName: first.username,
        email: '',
        passwordHash: await deps.passwords.hash(first.password),
        role: role.root,
        group: DEFAULT_GROUP,
        affCode: deps.random.alphanumeric(AFF_CODE_LENGTH),
        inviterId: 0,
        createdAtMs: deps.clock.now(),
        gifts: GIFTS,
      });
      if (id === 'taken') throw refuse('setup_done');
      // The account is made: what cannot be credited now is credited later.
      await deps.creditOwed().catch(() => undefined);
      await deps.refreshRouting();
      const user = await deps.users.byId(id);
      if (user === undefined) throw new AppError('internal', 'the first account is gone');
      return user;
    },
  };
};

/** Compares in constant time, regardless of lengths. */
const sameText = (left: string, right: string): boolean => {
  const key = randomBytes(32);
  const mac = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return timingSafeEqual(mac(left), mac(right));
};
