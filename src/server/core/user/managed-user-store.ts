import type { User } from './user.ts';

export interface UserChanges {
  readonly username?: string;
  readonly displayName?: string;
  readonly group?: string;
}

/** What admins change of accounts. Rank is the caller's business; each change names the state it starts from. */
export interface ManagedUserStore {
  /** Deleted accounts included. */
  find(id: number): Promise<User | undefined>;
  update(id: number, changes: UserChanges): Promise<'updated' | 'taken' | 'missing'>;
  /**
   * Only while the account still has the role that was looked at; its access token was made for another one and ends.
   * @returns whether it was changed
   */
  setRole(id: number, from: number, to: number): Promise<boolean>;
  /** The access token of an account that is not enabled ends, for when it is again. */
  setStatus(id: number, status: number): Promise<boolean>;
  /** Removes second factor, backup codes, passkeys, and with them every session and the access token. @returns whether there were any */
  resetTwoStep(id: number): Promise<boolean>;
  /**
   * The row, its name, its address and its identities elsewhere stay; password, passkeys, second factor, backup codes,
   * access token and sessions go with it. @returns whether it was there
   */
  softDelete(id: number, nowMs: number): Promise<boolean>;
}
