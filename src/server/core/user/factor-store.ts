/** A time-based second factor (RFC 6238) as kept. The secret is sealed. */
export interface SecondFactor {
  readonly sealedSecret: string;
  /** False until the first code was shown to be right: nobody locks themselves out by closing the page. */
  readonly isConfirmed: boolean;
  readonly backupCodesLeft: number;
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
}
