/** A time-based second factor (RFC 6238) as kept. The secret is sealed. */
export interface SecondFactor {
  readonly sealedSecret: string;
  /** False until the first code was shown to be right: nobody locks themselves out by closing the page. */
  readonly isConfirmed: boolean;
  readonly backupCodesLeft: number;
}

export interface Passkey {
  readonly id: number;
  readonly credentialId: string;
  readonly userId: number;
  /** COSE key, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
}

/** How else people prove who they are. */
export interface FactorStore {
  find(userId: number): Promise<SecondFactor | undefined>;
  /** Begins anew with a secret that is not confirmed; refused while a confirmed one is there. */
  begin(userId: number, sealedSecret: string): Promise<boolean>;
  /** From now on it is asked for; the old backup codes end. */
  confirm(userId: number, nowMs: number, backupMacs: readonly string[]): Promise<void>;
  /** Accepts a code of a time step once, and none of an older one. @returns false for a replay */
  useStep(userId: number, step: number): Promise<boolean>;
  /** @returns false when there is no such code, or it was used */
  useBackupCode(userId: number, mac: string): Promise<boolean>;
  replaceBackupCodes(userId: number, macs: readonly string[]): Promise<void>;
  remove(userId: number): Promise<void>;

  passkeysOf(userId: number): Promise<readonly Passkey[]>;
  passkeyByCredential(credentialId: string): Promise<Passkey | undefined>;
  /** @returns false when the credential is known already */
  addPasskey(passkey: Omit<Passkey, 'id' | 'usedAtMs'>): Promise<boolean>;
  notePasskeyUse(id: number, counter: number, nowMs: number): Promise<void>;
  /** Only the owner's. @returns whether it was there */
  removePasskey(userId: number, id: number): Promise<boolean>;
}
