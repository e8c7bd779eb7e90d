import type { Page, PageRequest } from '../paging.ts';
import type { User } from '../user/user.ts';
import type { Token, TokenSettings } from './token.ts';

/** A stored key: found by its HMAC, decrypted for its owner. */
export interface StoredKey {
  readonly mac: string;
  readonly encrypted: string;
}

/** A token to create. */
export interface NewToken extends TokenSettings {
  readonly userId: number;
  readonly key: StoredKey;
  readonly createdAtMs: number;
}

/** Absent fields stay the same. */
export type TokenChanges = Partial<TokenSettings & Pick<Token, 'status'>>;

/** A token with its encrypted key. */
export type TokenWithKey = Token & { readonly encryptedKey: string };

/** Stores users' tokens. Every query includes the owner: another user's token counts as missing. */
export interface TokenStore {
  /** Creates all or none; the owner's limit is checked in the same transaction. */
  create(tokens: readonly NewToken[], maxPerUser: number): Promise<readonly TokenWithKey[] | 'too_many'>;
  byId(userId: number, id: number): Promise<TokenWithKey | undefined>;
  list(userId: number, page: PageRequest): Promise<Page<TokenWithKey>>;
  /** `keyword` is part of the name; with `ids` only these. */
  search(
    userId: number,
    filter: { readonly keyword: string; readonly ids?: readonly number[] | undefined },
    page: PageRequest,
  ): Promise<Page<TokenWithKey>>;
  /** The encrypted keys of all tokens of a user, to look for a part of one. */
  keysOf(userId: number): Promise<readonly Pick<TokenWithKey, 'id' | 'encryptedKey'>[]>;
  /**
   * A new tag counts from the beginning of the month of `nowMs`.
   * @param read the token, which must still be so but for what calls change; otherwise nothing is changed
   */
  update(
    userId: number,
    id: number,
    changes: TokenChanges,
    nowMs: number,
    read?: TokenWithKey,
  ): Promise<TokenWithKey | undefined>;
  delete(userId: number, id: number, nowMs: number): Promise<boolean>;
  /** The token of a key and its owner, for the relay; not found if either is deleted. */
  byKeyMac(mac: string): Promise<{ readonly token: Token; readonly owner: User } | undefined>;
}
