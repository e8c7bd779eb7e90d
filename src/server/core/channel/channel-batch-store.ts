import type { Page, PageRequest } from '../paging.ts';
import type { ChannelChanges, ChannelRow } from './channel.ts';
import type { ChannelFilter } from './channel-store.ts';
import type { TagRow } from './tag-rows.ts';

/** Changes to many channels in one transaction. */
export interface ChannelBatchStore {
  /** One page of the tags that have a matching channel, with all channels of each tag; `total` counts tags. */
  pageOfTags(filter: ChannelFilter, page: PageRequest): Promise<Page<ChannelRow>>;
  /** The same page of tags, each summed up in the database: no channel is read. */
  pageOfTagSums(filter: ChannelFilter, page: PageRequest): Promise<Page<TagRow>>;
  byTag(tag: string): Promise<readonly ChannelRow[]>;
  /** Applies the same changes to all of these channels. @returns how many there were */
  updateMany(ids: readonly number[], changes: ChannelChanges): Promise<number>;
  /** The same, unless one of them has changed since it was read: then it changes none and returns false. */
  updateManyAsRead(rows: readonly ChannelRow[], changes: ChannelChanges): Promise<boolean>;
  deleteMany(ids: readonly number[]): Promise<number>;
  /** Deletes channels disabled by hand or automatically. */
  deleteDisabled(): Promise<number>;
  /** Auto-disabled → enabled, and clears the reason; false if it was not auto-disabled. */
  autoEnable(id: number): Promise<boolean>;
}
