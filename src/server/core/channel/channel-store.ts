import type { Page, PageRequest } from '../paging.ts';
import type { ChannelRow } from './channel.ts';

export type NewChannel = Omit<
  ChannelRow,
  | 'id'
  | 'usedQuotaUnits'
  | 'balanceUsd'
  | 'balanceUpdatedAtMs'
  | 'responseTimeMs'
  | 'testedAtMs'
  | 'otherInfo'
  | 'encryptedKey'
> & {
  /** Encrypts the key for the row's id: moved to another row, it does not decrypt. */
  readonly encryptKey: (channelId: number) => string;
  readonly keyMac: string;
};

export type ChannelChanges = Partial<Omit<ChannelRow, 'id' | 'usedQuotaUnits' | 'createdAtMs'>> & {
  readonly keyMac?: string;
};

export interface ChannelFilter {
  readonly keyword?: string;
  readonly keyMac?: string;
  readonly group?: string;
  readonly model?: string;
  readonly status?: 'enabled' | 'disabled';
  readonly type?: number;
  /** Newest first; otherwise by priority, then newest. */
  readonly sortById: boolean;
}

/** Stores channels. `models` and `group` filters match whole items of the comma lists. */
export interface ChannelStore {
  all(): Promise<readonly ChannelRow[]>;
  byId(id: number): Promise<ChannelRow | undefined>;
  page(filter: ChannelFilter, page: PageRequest): Promise<Page<ChannelRow>>;
  /** Creates all or none; ids in the order given. */
  create(channels: readonly NewChannel[]): Promise<readonly number[]>;
  update(id: number, changes: ChannelChanges): Promise<ChannelRow | undefined>;
  /** Enabled → auto-disabled; false if it was not enabled. */
  autoDisable(id: number, reason: string, nowMs: number): Promise<boolean>;
  delete(id: number): Promise<boolean>;
}
