import type { Page, PageRequest } from '../paging.ts';
import type { ServiceName } from '#contract/sign-in-services.ts';
import type { User } from './user.ts';

/** An account to be created. */
export interface NewUser {
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: number;
  readonly group: string;
  readonly affCode: string;
  readonly inviterId: number;
  readonly createdAtMs: number;
  /** The identity at the service used to register, if any. */
  readonly identity?: { readonly service: ServiceName; readonly id: string };
  /** What is credited for it once it is made. */
  readonly gifts?: Gifts;
}

type Person = Pick<User, 'id' | 'username'>;

/** Quota units for a new account, and for who invited it. */
export interface Gifts {
  readonly ofNewUser: number;
  readonly ofInvitee: number;
  readonly ofInviter: number;
  readonly inviter: Person | undefined;
  /** Of the first account, for setting the site up. */
  readonly ofSetup?: number;
}

/** The gifts of an account, until all of them are credited. */
export interface OwedGifts extends Gifts {
  readonly user: Person;
}

/** Stores accounts. Deleted ones keep their row and are found only where noted. */
export interface UserStore {
  /**
   * Also counts it for its inviter. @returns the id, or `taken` if a username that looks the same, the e-mail, invite code or
   * identity exists already, deleted accounts included
   */
  create(user: NewUser): Promise<number | 'taken'>;
  /** The gifts of new accounts that are not all credited yet, because that was interrupted or is still under way. */
  owedGifts(): Promise<readonly OwedGifts[]>;
  giftsCredited(userId: number): Promise<void>;
  /** Makes the first account, once: `taken` if any account exists. A database constraint enforces it. */
  createFirst(user: NewUser): Promise<number | 'taken'>;
  /** Of a name that looks the same, too; includes deleted accounts. */
  isNameTaken(username: string): Promise<boolean>;
  byId(id: number): Promise<User | undefined>;
  /** By username as it is, else by e-mail, else by a username that looks the same; deleted accounts are not found. */
  byLogin(login: string): Promise<(User & { readonly passwordHash: string }) | undefined>;
  byAccessTokenHash(hash: string): Promise<User | undefined>;
  byAffCode(code: string): Promise<User | undefined>;
  exists(): Promise<boolean>;
  /** Accounts of this role or a higher one that may sign in, oldest first. */
  ofRole(leastRole: number): Promise<readonly User[]>;
  /** Deleted and disabled accounts included. */
  idsOfRole(leastRole: number): Promise<readonly number[]>;
  /** Deleted accounts included, newest first. */
  list(page: PageRequest): Promise<Page<User>>;
  /** Matches e-mail addresses only of `by` and of lower ranks: other addresses could be guessed letter by letter. */
  search(
    filter: { readonly keyword: string; readonly group: string; readonly by: Pick<User, 'id' | 'role'> },
    page: PageRequest,
  ): Promise<Page<User>>;
  /**
   * Enabled accounts that have called and have less than this left, those who used most first. @returns how many there are,
   * and the first `limit`
   */
  withLittleQuota(
    belowUnits: number,
    limit: number,
  ): Promise<{
    readonly total: number;
    readonly items: readonly Pick<User, 'id' | 'username' | 'quotaUnits'>[];
  }>;
  /** Deleted accounts included. */
  namesOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** How many accounts are in a group, and how many tokens name it: of any status, but not deleted. */
  groupUse(group: string): Promise<{ readonly users: number; readonly tokens: number }>;
  updateProfile(
    id: number,
    changes: { readonly username?: string; readonly displayName?: string },
  ): Promise<'updated' | 'taken' | 'missing'>;
  passwordHashOf(id: number): Promise<string | undefined>;
  /**
   * Also ends the access token, which belongs to the old password. If `from` is given, only while the hash is still
   * that.
   * @returns whether it changed
   */
  setPasswordHash(id: number, hash: string, from?: string): Promise<boolean>;
  /** Only while the session of this hash has not ended, if one is given. @returns whether it was set */
  setAccessTokenHash(id: number, hash: string, sessionHash?: string): Promise<boolean>;
}
