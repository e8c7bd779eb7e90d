import type { PriceEdit } from '../price-book/price-book-store.ts';
import type { Renaming } from './renamed-group.ts';

/** What has followed a group to its new name, and the version of the prices that has it. */
export interface RenamedGroup {
  readonly version: number;
  /** Accounts and tokens that are not deleted. */
  readonly users: number;
  readonly tokens: number;
  readonly channels: number;
  /** Drafts of prices. */
  readonly drafts: number;
}

/** Changes groups wherever they are named. */
export interface GroupStore {
  /**
   * Renames a group in everything that decides later calls, in one transaction. What tells of the past keeps the name.
   * Throws without an approval where prices need one.
   * @returns `missing` if there is no such group; `exists` if another has the new name; `used` if accounts, tokens or
   *   channels name one that does not exist
   */
  rename(
    renaming: Renaming,
    edit: Pick<PriceEdit, 'authorId' | 'author' | 'reason' | 'nowMs'>,
  ): Promise<RenamedGroup | 'missing' | 'exists' | 'used'>;
}
