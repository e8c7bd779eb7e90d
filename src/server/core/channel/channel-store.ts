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
  /** Encrypts the key for the id the row gets: a ciphertext moved to another row does not open. */
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
  /** Newest first; else by priority, then newest. */
  readonly sortById: boolean;
}

/** Channels. `models` and `group` filters match whole items of the comma lists. */
export interface ChannelStore {
  all(): Promise<readonly ChannelRow[]>;
  byId(id: number): Promise<ChannelRow | undefined>;
  page(filter: ChannelFilter, page: PageRequest): Promise<Page<ChannelRow>>;
  /** All or none; the ids in the order given. */
  create(channels: readonly NewChannel[]): Promise<readonly number[]>;
  update(id: number, changes: ChannelChanges): Promise<ChannelRow | undefined>;
  /** Enabled → auto-disabled, once: false when it was not enabled (any more). */
  autoDisable(id: number, reason: string, nowMs: number): Promise<boolean>;
  delete(id: number): Promise<boolean>;
}
