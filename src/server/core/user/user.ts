import type { IdentityField } from '#contract/sign-in-services.ts';

/** A user as the rest of the server sees one. Quotas are units; the ledger alone changes them. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  readonly role: number;
  readonly status: number;
  readonly group: string;
  readonly quotaUnits: number;
  readonly usedQuotaUnits: number;
  /** The sum of open holds of running calls. */
  readonly heldUnits: number;
  readonly requestCount: number;
  readonly affCode: string;
  readonly affCount: number;
  readonly affQuotaUnits: number;
  readonly affHistoryQuotaUnits: number;
  readonly inviterId: number;
  /** Its ids at other services, by field name; empty texts for services it has none at. */
  readonly identities: Readonly<Record<IdentityField, string>>;
  /** JSON text of personal settings; empty means none. */
  readonly setting: string;
  readonly deletedAtMs: number | null;
}
