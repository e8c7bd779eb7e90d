import type { ChannelChanges } from '../channel.ts';
import type { Page, PageRequest } from '../../paging.ts';

import type { KeyState, KeyStatus } from './pool.ts';

/** A key of a pool as stored (encrypted). */
export interface ChannelKeyRow extends KeyState {
  readonly id: number;
  readonly channelId: number;
  readonly label: string;
  readonly tail: string;
  readonly encryptedKey: string;
  readonly keyMac: string;
  /** The proxy's address; empty if the channel's proxy is used. */
  readonly proxy: string;
  /** The proxy's password, encrypted; empty if there is none. */
  readonly proxyPassword: string;
  readonly weight: number;
  /** JSON text; empty if the key has no limits. */
  readonly limits: string;
  /** Changes with every change of the row, except when the key is merely used. */
  readonly revision: number;
  readonly usedQuotaUnits: number;
  readonly createdAtMs: number;
  /** When the status changed last. */
  readonly changedAtMs: number;
  /** When the key was tested last; 0 if never. */
  readonly testedAtMs: number;
}

/** A key to add to a pool. */
export type NewChannelKey = Pick<ChannelKeyRow, 'label' | 'tail' | 'encryptedKey' | 'keyMac' | 'weight'>;

/** Changes to a key; absent fields stay the same. */
export type ChannelKeyChanges = Partial<
  Omit<ChannelKeyRow, 'id' | 'channelId' | 'revision' | 'usedQuotaUnits' | 'createdAtMs'>
>;

/** A filter for the keys of a channel: those that match all of these fields. */
export interface ChannelKeyFilter {
  readonly ids?: readonly number[] | undefined;
  readonly status?: KeyStatus | undefined;
  /** Matches part of the label, the end of the key, or the id. */
  readonly keyword?: string | undefined;
  /** Matches a whole key, by its keyed hash. */
  readonly keyMac?: string | undefined;
}

/** A key that is no longer used, with its channel. */
export interface KeyInNeed extends Pick<
  ChannelKeyRow,
  'id' | 'channelId' | 'label' | 'tail' | 'status' | 'reason' | 'changedAtMs'
> {
  readonly channelName: string;
}

/** A channel that has a key, by the key's keyed hash. */
export interface KeyElsewhere {
  readonly channelId: number;
  readonly keyMac: string;
}

/** How keys are added to a channel. */
export interface KeyAddTerms {
  /** The most keys the channel may have in all. */
  readonly limit: number;
  readonly nowMs: number;
  /** Whether all other keys of the channel are deleted. */
  readonly replacesAll?: boolean;
  /** What changes of the channel itself, in the same transaction: keys and where they are sent. */
  readonly channel?: ChannelChanges;
  /** The channel's revision when it was read: if it has another one by now, nothing is added. */
  readonly asRead?: number;
}

/** What must still be so for a key to be changed. */
export interface KeyChangeTerms extends Partial<Pick<KeyState, 'status' | 'untilMs'>> {
  /** The channel's revision when it was read. */
  readonly asRead?: number;
}

/** Stores the keys of pools. Every change raises the version of the channel's keys in the same transaction. */
export interface ChannelKeyStore {
  /** All keys of these channels, by id. */
  ofChannels(channelIds: readonly number[]): Promise<readonly ChannelKeyRow[]>;
  byId(channelId: number, id: number): Promise<ChannelKeyRow | undefined>;
  page(channelId: number, filter: ChannelKeyFilter, page: PageRequest): Promise<Page<ChannelKeyRow>>;
  idsOf(channelId: number, filter: ChannelKeyFilter): Promise<readonly number[]>;
  /** How many keys of a channel are in each status. */
  counts(channelId: number): Promise<ReadonlyMap<KeyStatus, number>>;
  /** Keys of enabled channels that are revoked or out of money: their number, and the ones found last. */
  needingHand(most: number): Promise<{ readonly total: number; readonly keys: readonly KeyInNeed[] }>;
  /** How many keys each of these channels has. */
  sizes(channelIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Which of these keys other channels have too, in a pool or as their only key. */
  elsewhere(channelId: number, keyMacs: readonly string[]): Promise<readonly KeyElsewhere[]>;
  /** The same key in the pools of other channels that send it to the same place. */
  twins(key: KeyElsewhere): Promise<readonly ChannelKeyRow[]>;
  /** Other channels that send the same key to the same place, and have no other. */
  loneTwins(key: KeyElsewhere): Promise<readonly number[]>;
  /** The only key of a channel; undefined if it has a pool. */
  loneKey(channelId: number): Promise<KeyElsewhere | undefined>;
  /** Which of these keys the channel has. */
  has(channelId: number, keyMacs: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Adds keys that the channel does not have yet, up to `limit` in all; a channel with a single key of its own becomes
   * a pool. All are added or none.
   * @returns how many were added; `full` if there are too many, `missing` if the channel does not exist, or
   * has another revision than was read
   */
  add(
    channelId: number,
    keys: readonly NewChannelKey[],
    terms: KeyAddTerms,
  ): Promise<number | 'full' | 'missing'>;
  /**
   * Changes a key, if everything that `only` names is still so.
   * @returns `taken` if the channel already has the new key
   */
  change(
    channelId: number,
    id: number,
    changes: ChannelKeyChanges,
    only?: KeyChangeTerms,
  ): Promise<'changed' | 'missing' | 'taken'>;
  /** Puts keys of a channel that have another status into this state. @returns their ids */
  switchAll(
    channelId: number,
    filter: ChannelKeyFilter,
    state: KeyState & Pick<ChannelKeyRow, 'changedAtMs'>,
  ): Promise<readonly number[]>;
  /** Deletes keys of a channel, but never all of them. @returns their ids, or `last` if none would be left */
  delete(channelId: number, filter: ChannelKeyFilter): Promise<readonly number[] | 'last'>;
}
