import type { Page, PageRequest } from '../paging.ts';
import type { KeyState, KeyStatus } from './pool.ts';

/** A key of a pool as stored, sealed. */
export interface ChannelKeyRow extends KeyState {
  readonly id: number;
  readonly channelId: number;
  readonly label: string;
  readonly tail: string;
  readonly encryptedKey: string;
  readonly keyMac: string;
  /** Its address; empty for the channel's proxy. */
  readonly proxy: string;
  /** Sealed; empty if it has none. */
  readonly proxyPassword: string;
  readonly weight: number;
  /** JSON text; empty without limits. */
  readonly limits: string;
  /** Changes with the row, except for what it was used for. */
  readonly revision: number;
  readonly usedQuotaUnits: number;
  readonly createdAtMs: number;
  /** When its status changed last. */
  readonly changedAtMs: number;
  /** 0 if it never was. */
  readonly testedAtMs: number;
}

export type NewChannelKey = Pick<ChannelKeyRow, 'label' | 'tail' | 'encryptedKey' | 'keyMac' | 'weight'>;

export type ChannelKeyChanges = Partial<
  Omit<ChannelKeyRow, 'id' | 'channelId' | 'revision' | 'usedQuotaUnits' | 'createdAtMs'>
>;

export interface ChannelKeyFilter {
  readonly status?: KeyStatus | undefined;
  /** Part of the label, the end, or the id. */
  readonly keyword?: string | undefined;
  /** Of a whole key. */
  readonly keyMac?: string | undefined;
}

/** A key that calls are not sent with, and where it is. */
export interface KeyInNeed extends Pick<
  ChannelKeyRow,
  'id' | 'channelId' | 'label' | 'tail' | 'status' | 'reason' | 'changedAtMs'
> {
  readonly channelName: string;
}

/** Another channel with the same key. */
export interface KeyElsewhere {
  readonly channelId: number;
  readonly keyMac: string;
}

/** How keys are added to a channel. */
export interface KeyAddTerms {
  /** How many the channel may have in all. */
  readonly limit: number;
  readonly nowMs: number;
  /** All others of the channel are deleted. */
  readonly replacesAll?: boolean;
}

/** Stores the keys of pools. Every change raises the version of the channel's keys in the same transaction. */
export interface ChannelKeyStore {
  /** All keys of these channels, by id. */
  ofChannels(channelIds: readonly number[]): Promise<readonly ChannelKeyRow[]>;
  byId(channelId: number, id: number): Promise<ChannelKeyRow | undefined>;
  page(channelId: number, filter: ChannelKeyFilter, page: PageRequest): Promise<Page<ChannelKeyRow>>;
  /** How many keys of a channel are in each status. */
  counts(channelId: number): Promise<ReadonlyMap<KeyStatus, number>>;
  /** Keys of enabled channels that are revoked or out of money: how many, and those that were last found to be. */
  needingHand(most: number): Promise<{ readonly total: number; readonly keys: readonly KeyInNeed[] }>;
  /** How many keys each of these channels has. */
  sizes(channelIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Which of these keys other channels have too, whether in a pool or alone. */
  elsewhere(channelId: number, keyMacs: readonly string[]): Promise<readonly KeyElsewhere[]>;
  /** Which of these the channel has. */
  has(channelId: number, keyMacs: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Adds keys that the channel does not have yet, up to `limit` in all; then a channel of one key has no key of its own any
   * more. All or none.
   * @returns how many were added; `full` if there are too many, `missing` if the channel is gone
   */
  add(
    channelId: number,
    keys: readonly NewChannelKey[],
    terms: KeyAddTerms,
  ): Promise<number | 'full' | 'missing'>;
  /**
   * Changes a key, where `only` is given only if its status and its time are still these.
   * @returns `taken` if the channel has the new key already
   */
  change(
    channelId: number,
    id: number,
    changes: ChannelKeyChanges,
    only?: Pick<KeyState, 'status' | 'untilMs'>,
  ): Promise<'changed' | 'missing' | 'taken'>;
  /** Deletes keys of a channel, but never its last one. @returns how many, or `last` */
  delete(channelId: number, ids: readonly number[]): Promise<number | 'last'>;
}
