import type { Page, PageRequest } from '../paging.ts';
import type { NewRedemption, Redemption, RedemptionChanges } from './redemption.ts';

/** Redemption codes. Deleted ones are not found, yet explain their credit to the audit. Redeeming is the ledger's. */
export interface RedemptionStore {
  /** All or none. */
  create(redemptions: readonly NewRedemption[]): Promise<void>;
  byId(id: number): Promise<Redemption | undefined>;
  byKeyMac(keyMac: string): Promise<Redemption | undefined>;
  list(page: PageRequest): Promise<Page<Redemption>>;
  /** `keyword` is part of the name or a whole id; `keyMac` a whole code's. */
  search(
    filter: { readonly keyword: string; readonly keyMac: string },
    page: PageRequest,
  ): Promise<Page<Redemption>>;
  /** Changes an unused code; one that was redeemed meanwhile stays as it was. */
  update(id: number, changes: RedemptionChanges): Promise<Redemption | undefined>;
  /** Switches a code on or off, unless it was redeemed. */
  setStatus(id: number, status: number): Promise<Redemption | undefined>;
  delete(id: number, nowMs: number): Promise<boolean>;
  /** Deletes what nobody can redeem: used, switched off, past its time. @returns how many */
  deleteInvalid(nowMs: number): Promise<number>;
}
