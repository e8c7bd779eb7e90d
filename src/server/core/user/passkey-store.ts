import type { WaysIn } from './ways-in.ts';

/** A key pair of a user's device: the public key, and how it was used. */
export interface Passkey {
  readonly id: number;
  readonly userId: number;
  /** The authenticator's id for it, base64url. */
  readonly credentialId: string;
  /** The public key in COSE format, base64url. */
  readonly publicKey: string;
  /** The signature count the authenticator last sent; 0 if it does not count. */
  readonly counter: number;
  /** How browsers reach the authenticator: `internal`, `usb`, `hybrid` … */
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
}

/** A passkey to register. */
export type NewPasskey = Omit<Passkey, 'id' | 'usedAtMs'>;

/** Stores the passkeys of users. */
export interface PasskeyStore {
  /**
   * @returns `taken` if the credential is registered already, `full` if the user has `most`, `gone` if the user is
   * deleted
   */
  add(passkey: NewPasskey, most: number): Promise<'added' | 'taken' | 'full' | 'gone'>;
  byCredential(credentialId: string): Promise<Passkey | undefined>;
  /** Newest first. */
  listOf(userId: number): Promise<readonly Passkey[]>;
  /** @returns false if the user has no such passkey */
  rename(userId: number, id: number, name: string): Promise<boolean>;
  /** @returns `last` if no way to sign in would remain, even if two are removed at once */
  remove(userId: number, id: number, ways: WaysIn): Promise<'removed' | 'missing' | 'last'>;
  /**
   * Records a use. @returns false if another use came first: two signatures with the same count indicate a copied key
   */
  use(id: number, counterBefore: number, counter: number, nowMs: number): Promise<boolean>;
}
