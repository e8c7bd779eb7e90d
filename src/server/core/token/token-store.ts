import type { Page, PageRequest } from '../paging.ts';
import type { User } from '../user/user.ts';
import type { Token } from './token.ts';

/** A key at rest: found by its HMAC, given back to its owner by decrypting. `prefix` serves searching. */
export interface StoredKey {
  readonly mac: string;
  readonly encrypted: string;
  readonly prefix: string;
}

export interface NewToken {
  readonly userId: number;
  readonly name: string;
  readonly key: StoredKey;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly remainQuotaUnits: number;
  readonly unlimited: boolean;
  readonly modelLimitsEnabled: boolean;
  readonly modelLimits: readonly string[];
  readonly allowIps: string;
  readonly group: string;
}

export interface TokenChanges {
  readonly name?: string;
  readonly status?: number;
  readonly expiresAtMs?: number | null;
  /** An absolute wish; the store turns it into a delta inside its transaction, so running calls are not overwritten. */
  readonly remainQuotaUnits?: number;
  readonly unlimited?: boolean;
  readonly modelLimitsEnabled?: boolean;
  readonly modelLimits?: readonly string[];
  readonly allowIps?: string;
  readonly group?: string;
}

export type TokenWithKey = Token & { readonly encryptedKey: string };

/** Tokens of users. Ownership is part of every query: another's token is a missing one. */
export interface TokenStore {
  /** All or none, counted against the owner's limit in the same transaction. */
  create(tokens: readonly NewToken[], maxPerUser: number): Promise<readonly TokenWithKey[] | 'too_many'>;
  byId(userId: number, id: number): Promise<TokenWithKey | undefined>;
  list(userId: number, page: PageRequest): Promise<Page<TokenWithKey>>;
  /** `keyword` is part of the name; `key` a whole key's MAC or the beginning of one. */
  search(
    userId: number,
    filter: { readonly keyword: string; readonly keyMac?: string; readonly keyPrefix?: string },
    page: PageRequest,
  ): Promise<Page<TokenWithKey>>;
  update(userId: number, id: number, changes: TokenChanges): Promise<TokenWithKey | undefined>;
  delete(userId: number, id: number, nowMs: number): Promise<boolean>;
  /** The token of a key and its owner, for the relay; deleted tokens and owners are not found. */
  byKeyMac(mac: string): Promise<{ readonly token: Token; readonly owner: User } | undefined>;
}
