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
  readonly requestCount: number;
  readonly affCode: string;
  readonly affCount: number;
  readonly affQuotaUnits: number;
  readonly affHistoryQuotaUnits: number;
  readonly inviterId: number;
  readonly githubId: string;
  readonly wechatId: string;
  readonly telegramId: string;
  readonly linuxDoId: string;
  readonly oidcId: string;
  readonly discordId: string;
  /** JSON text of personal settings; empty means none. */
  readonly setting: string;
  readonly deletedAtMs: number | null;
}
