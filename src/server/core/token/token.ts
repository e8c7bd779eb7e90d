/** A relay token without its key. Quotas are units; the ledger alone changes them. */
export interface Token {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly status: number;
  readonly createdAtMs: number;
  readonly accessedAtMs: number;
  /** Null means never. */
  readonly expiresAtMs: number | null;
  readonly remainQuotaUnits: number;
  readonly usedQuotaUnits: number;
  readonly unlimited: boolean;
  readonly modelLimitsEnabled: boolean;
  readonly modelLimits: readonly string[];
  /** One address or CIDR range a line; empty means any. */
  readonly allowIps: string;
  /** Empty means the group of its owner. */
  readonly group: string;
}
