import type { Page, PageRequest } from '../paging.ts';
import type { ChannelRow } from './channel.ts';
import type { ChannelChanges, ChannelFilter } from './channel-store.ts';

/** What is done to many channels in one transaction. */
export interface ChannelBatchStore {
  /** Tags of the channels the filter finds, a page of them, with all their channels; `total` counts tags. */
  pageOfTags(filter: ChannelFilter, page: PageRequest): Promise<Page<ChannelRow>>;
  byTag(tag: string): Promise<readonly ChannelRow[]>;
  /** The same changes to each; @returns how many there were */
  updateMany(ids: readonly number[], changes: ChannelChanges): Promise<number>;
  deleteMany(ids: readonly number[]): Promise<number>;
  /** Those disabled by hand and automatically. */
  deleteDisabled(): Promise<number>;
  /** Auto-disabled → enabled, once, its reason gone: false when it was not auto-disabled (any more). */
  autoEnable(id: number): Promise<boolean>;
}
