import type { Page, PageRequest } from '../paging.ts';
import type { NewRedemption, Redemption, RedemptionChanges } from './redemption.ts';

/**
 * Stores redemption codes. Deleted ones are not found, but still explain their credit to the audit. The ledger redeems
 * them.
 */
export interface RedemptionStore {
  /** Creates all or none. */
  create(redemptions: readonly NewRedemption[]): Promise<void>;
  byId(id: number): Promise<Redemption | undefined>;
  byKeyMac(keyMac: string): Promise<Redemption | undefined>;
  /** @param invalidAtMs only those that `deleteInvalid` would delete then */
  list(page: PageRequest, invalidAtMs?: number): Promise<Page<Redemption>>;
  /** `keyword` is part of the name or a whole id; `keyMac` is the MAC of a whole code. */
  search(
    filter: { readonly keyword: string; readonly keyMac: string },
    page: PageRequest,
  ): Promise<Page<Redemption>>;
  /**
   * Changes an unused code; a code redeemed in the meantime stays the same.
   * @param read the code, whose name, quota and time must still be so; otherwise nothing is changed
   */
  update(id: number, changes: RedemptionChanges, read: Redemption): Promise<Redemption | undefined>;
  /** Enables or disables a code, unless it was redeemed. */
  setStatus(id: number, status: number): Promise<Redemption | undefined>;
  delete(id: number, nowMs: number): Promise<boolean>;
  /** Deletes codes that cannot be redeemed: used, disabled, expired. @returns how many */
  deleteInvalid(nowMs: number): Promise<number>;
}
