import type { channelSortKeys } from '#contract/api/channels/channel-fields.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { ChannelChanges, ChannelRow } from './channel.ts';
import type { KeyAddTerms, NewChannelKey } from './keys/channel-key-store.ts';
import type { PoolMode } from './keys/pool.ts';

/** A channel to create; the store sets the other fields. */
export type NewChannel = Omit<
  ChannelRow,
  | 'id'
  | 'usedQuotaUnits'
  | 'balanceUsd'
  | 'balanceUpdatedAtMs'
  | 'responseTimeMs'
  | 'testedAtMs'
  | 'otherInfo'
  | 'poolMode'
  | 'keysVersion'
  | 'revision'
  | 'encryptedKey'
> & {
  /** Encrypts the key for this row's id, so that it cannot be decrypted in another row. */
  readonly encryptKey: (channelId: number) => string;
  readonly keyMac: string;
  /**
   * The keys of a channel that chooses among several. They are stored in the same transaction, so that nobody can
   * change the channel's address in between.
   */
  readonly pool?: {
    readonly mode: PoolMode;
    /** All of its keys, encrypted for this row; with none, the channel keeps its own key. */
    readonly keys: (channelId: number) => readonly NewChannelKey[];
    readonly terms: Pick<KeyAddTerms, 'limit' | 'nowMs'>;
  };
};

/** Which channels are looked for, in whatever state they are. */
export interface ChannelSearch {
  readonly keyword?: string;
  readonly keyMac?: string;
  readonly group?: string;
  readonly model?: string;
  readonly type?: number;
}

/** The filters and the order of a list of channels; absent filters match all. */
export interface ChannelFilter extends ChannelSearch {
  /** `disabled` means every channel that is not enabled: `manual` those disabled by an admin, `auto` automatically. */
  readonly status?: 'enabled' | 'disabled' | 'manual' | 'auto';
  readonly isUntagged?: boolean;
  readonly tag?: string;
  /** Newest first if true; else by priority, then newest first. */
  readonly sortById: boolean;
  /** A sort that takes precedence over `sortById`. */
  readonly sort?: ChannelSort | undefined;
}

/** A column to sort by, and the direction. */
export interface ChannelSort {
  readonly key: (typeof channelSortKeys)[number];
  readonly isDescending: boolean;
}

/** How many channels are in each state. */
export interface ChannelCounts {
  readonly enabled: number;
  readonly disabled: number;
  readonly autoDisabled: number;
}

/** Stores channels. `models` and `group` filters match whole items of the comma lists. */
export interface ChannelStore {
  /** The revisions of all channels, by id. */
  revisions(): Promise<readonly Pick<ChannelRow, 'id' | 'revision'>[]>;
  /** The channels with these ids that exist, by id. */
  byIds(ids: readonly number[]): Promise<readonly ChannelRow[]>;
  byId(id: number): Promise<ChannelRow | undefined>;
  page(filter: ChannelFilter, page: PageRequest): Promise<Page<ChannelRow>>;
  /** Counts the channels that a search finds; `disabled` counts only those disabled by hand. */
  counts(search: ChannelSearch): Promise<ChannelCounts>;
  /** Creates all or none. Returns the ids in the given order. */
  create(channels: readonly NewChannel[]): Promise<readonly number[]>;
  update(id: number, changes: ChannelChanges): Promise<ChannelRow | undefined>;
  /** Like `update`, but only if the channel has not changed since it was read. @returns whether it was changed */
  updateAsRead(
    read: Pick<ChannelRow, 'id' | 'revision' | 'remark'>,
    changes: ChannelChanges,
  ): Promise<boolean>;
  /** Changes an enabled channel to auto-disabled; false if it was not enabled. */
  autoDisable(id: number, reason: string, nowMs: number): Promise<boolean>;
  delete(id: number): Promise<boolean>;
}
