/** A stored time-based second factor (RFC 6238). The secret is encrypted. */
export interface SecondFactor {
  readonly sealedSecret: string;
  /** False until the first correct code, so that nobody locks themselves out by closing the page. */
  readonly isConfirmed: boolean;
  readonly backupCodesLeft: number;
}

/** Stores second factors and backup codes. */
export interface FactorStore {
  find(userId: number): Promise<SecondFactor | undefined>;
  /** Starts again with an unconfirmed secret. @returns false if a confirmed one exists */
  begin(userId: number, sealedSecret: string): Promise<boolean>;
  /**
   * Switches the factor on and replaces the old backup codes. @returns false if its secret has changed meanwhile, or
   * it is on already
   */
  confirm(
    userId: number,
    sealedSecret: string,
    nowMs: number,
    backupMacs: readonly string[],
  ): Promise<boolean>;
  /** Accepts one code per time step, and none of an older step. @returns false for a replay */
  useStep(userId: number, step: number): Promise<boolean>;
  /** @returns false if the code does not exist or was used */
  useBackupCode(userId: number, mac: string): Promise<boolean>;
  /** @returns false if by now it is off */
  replaceBackupCodes(userId: number, macs: readonly string[]): Promise<boolean>;
  remove(userId: number): Promise<void>;
}
