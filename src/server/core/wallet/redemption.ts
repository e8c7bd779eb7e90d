/** A code that grants quota once. Times are milliseconds, quotas units. */
export interface Redemption {
  readonly id: number;
  /** The user who made it. */
  readonly userId: number;
  readonly name: string;
  readonly status: number;
  readonly keyMac: string;
  readonly encryptedKey: string;
  readonly quotaUnits: number;
  readonly createdAtMs: number;
  /** Null for never. */
  readonly expiresAtMs: number | null;
  readonly redeemedAtMs: number | null;
  /** 0 until somebody redeems it. */
  readonly usedUserId: number;
  /** Empty until then. */
  readonly usedUsername: string;
}

/** A code to create. */
export interface NewRedemption {
  readonly userId: number;
  readonly name: string;
  readonly keyMac: string;
  readonly encryptedKey: string;
  readonly quotaUnits: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

/** Changes to an unused code; undefined fields stay the same. */
export interface RedemptionChanges {
  readonly name?: string;
  readonly quotaUnits?: number;
  readonly expiresAtMs?: number | null;
  /** Switches it off with the same write. */
  readonly isOff?: true;
}
