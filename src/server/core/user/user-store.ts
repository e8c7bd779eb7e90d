import type { Page, PageRequest } from '../paging.ts';
import type { IdentityService } from './identity-store.ts';
import type { User } from './user.ts';

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
  /** Who it is at the service it came through, where it came through one. */
  readonly identity?: { readonly service: IdentityService; readonly id: string };
}

/** Accounts. Deleted ones keep their row and are found only where said so. */
export interface UserStore {
  /**
   * Counts it with who invited it. @returns the id, or `taken` when the username (in any case), e-mail, invite code or
   * identity exists already, deleted accounts included
   */
  create(user: NewUser): Promise<number | 'taken'>;
  /** Makes the first account, once: `taken` when any account exists. Guarded by the database, not by a look first. */
  createFirst(user: NewUser): Promise<number | 'taken'>;
  /** In whatever case its letters are written, deleted accounts included. */
  isNameTaken(username: string): Promise<boolean>;
  byId(id: number): Promise<User | undefined>;
  /** By username, else by e-mail; deleted accounts are not found. */
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
  /** An e-mail address is found only where it is `by`'s own or of a lower rank: others would be guessed letter by letter. */
  search(
    filter: { readonly keyword: string; readonly group: string; readonly by: Pick<User, 'id' | 'role'> },
    page: PageRequest,
  ): Promise<Page<User>>;
  updateProfile(
    id: number,
    changes: { readonly username?: string; readonly displayName?: string },
  ): Promise<'updated' | 'taken' | 'missing'>;
  passwordHashOf(id: number): Promise<string | undefined>;
  /** The access token ends with the password it was made under. */
  setPasswordHash(id: number, hash: string): Promise<void>;
  setAccessTokenHash(id: number, hash: string): Promise<void>;
}
