import type { WaysIn } from './ways-in.ts';

/** A key pair of somebody's device: the public half, and what is known of its use. */
export interface Passkey {
  readonly id: number;
  readonly userId: number;
  /** As the authenticator names it, base64url. */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** Signatures so far, as the authenticator last told; 0 from those that do not count. */
  readonly counter: number;
  /** How browsers reach the authenticator: `internal`, `usb`, `hybrid` … */
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
}

export type NewPasskey = Omit<Passkey, 'id' | 'usedAtMs'>;

export interface PasskeyStore {
  /** @returns `taken` where the credential is registered already, `full` where the user has so many, `gone` if deleted */
  add(passkey: NewPasskey, most: number): Promise<'added' | 'taken' | 'full' | 'gone'>;
  byCredential(credentialId: string): Promise<Passkey | undefined>;
  /** The newest first. */
  listOf(userId: number): Promise<readonly Passkey[]>;
  /** @returns false where the user has no such passkey */
  rename(userId: number, id: number, name: string): Promise<boolean>;
  /** @returns `last` where nobody would get in any more: of two removed at once, too */
  remove(userId: number, id: number, ways: WaysIn): Promise<'removed' | 'missing' | 'last'>;
  /** Notes a use. @returns false where another use came between: two signatures of one count are a copied key */
  use(id: number, counterBefore: number, counter: number, nowMs: number): Promise<boolean>;
}
