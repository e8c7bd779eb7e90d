import type { User } from './user.ts';

export interface UserChanges {
  readonly username?: string;
  readonly displayName?: string;
  readonly group?: string;
}

/**
 * Account changes by admins. The caller checks ranks; each change names the state it expects: with `asRole` the account
 * must still have the rank that was checked.
 */
export interface ManagedUserStore {
  /** Deleted accounts included. */
  find(id: number): Promise<User | undefined>;
  /**
   * @param read the fields that must not have changed since they were read; otherwise the account counts as
   * `missing`, like one of another rank
   */
  update(
    id: number,
    changes: UserChanges,
    asRole?: number,
    read?: UserChanges,
  ): Promise<'updated' | 'taken' | 'missing'>;
  /**
   * Changes the role only if the account still has role `from`. Its access token was made for that role and ends.
   * @returns whether it changed
   */
  setRole(id: number, from: number, to: number): Promise<boolean>;
  /**
   * Also ends the access token. Only while the account still has role `role`, and `by` is still enabled with its role:
   * hashing a password takes a while. @returns whether it changed
   */
  setPasswordHash(id: number, hash: string, role: number, by: Pick<User, 'id' | 'role'>): Promise<boolean>;
  /** The access token of a disabled account ends, so that enabling it later does not revive the token. */
  setStatus(id: number, status: number, asRole?: number): Promise<boolean>;
  /**
   * Removes second factor, backup codes and passkeys, and ends all sessions and the access token. @returns whether
   * there were any
   */
  resetTwoStep(id: number, asRole?: number): Promise<boolean>;
  /**
   * Keeps the row, name, address and identities; removes password, passkeys, second factor, backup codes, access token
   * and sessions. @returns whether it existed
   */
  softDelete(id: number, nowMs: number, asRole?: number): Promise<boolean>;
}
