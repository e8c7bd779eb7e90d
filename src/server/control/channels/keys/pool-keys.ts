import { poolKeyPlace } from '#core/secrets/sealed-places.ts';
import { parsed } from '#contract/json-text.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type {
  ChannelKeyFilter,
  ChannelKeyRow,
  ChannelKeyStore,
  NewChannelKey,
} from '#core/channel/keys/channel-key-store.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { KeyStatus, PoolMode } from '#core/channel/keys/pool.ts';
import { isFields } from '#core/json/fields.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { openChannelKey } from '../open-channel-key.ts';
import { refuse } from '../../refuse.ts';
import { readKeys } from '../channel-rules.ts';
import { LABEL_MAX_LENGTH, type PastedKey } from './pasted-keys.ts';

export interface PoolKeyDeps {
  readonly channels: Pick<ChannelStore, 'byId'>;
  readonly channelKeys: Pick<ChannelKeyStore, 'page' | 'counts' | 'has' | 'elsewhere'>;
  readonly vault: Vault;
}

/** What adding a pasted list would do. */
export interface KeyPreview {
  /** The number of distinct keys in it. */
  readonly keys: number;
  /** Those of them with a name beside them. */
  readonly named: number;
  /** Lines that repeat an earlier one. */
  readonly repeated: number;
  /** Lines that are remarks. */
  readonly remarks: number;
  /** Keys that the channel already has. */
  readonly known: number;
  /** Other channels that have some of these keys, with the number of them. */
  readonly elsewhere: ReadonlyMap<number, number>;
}

/** A channel's keys, as a list shows them. */
export interface KeyList extends Page<ChannelKeyRow> {
  readonly mode: PoolMode;
  readonly counts: ReadonlyMap<KeyStatus, number>;
}

/** Keys of one provider are told apart by their last characters; of a shorter key these would reveal too much. */
const LEAST_WITH_TAIL = 16;
const TAIL_LENGTH = 4;

/** Whether the channel has several keys, in place of one of its own. */
export const hasPool = ({
  keysVersion,
  encryptedKey,
}: Pick<ChannelRow, 'keysVersion' | 'encryptedKey'>): boolean => keysVersion > 0 && encryptedKey === '';

/** A key as stored for a channel; a service account is labelled with its address. */
export const newKey = (
  vault: Pick<Vault, 'mac' | 'encrypt'>,
  channelId: number,
  key: string,
  { label = '', weight = 1 }: { readonly label?: string; readonly weight?: number } = {},
): NewChannelKey => {
  const keyMac = vault.mac(key);
  const account: unknown = key.startsWith('{') ? parsed(key) : undefined;
  const email = isFields(account) ? account['client_email'] : undefined;
  const isPlain = account === undefined && key.length >= LEAST_WITH_TAIL;
  return {
    label: label === '' && typeof email === 'string' ? email.slice(0, LABEL_MAX_LENGTH) : label,
    tail: isPlain ? key.slice(-TAIL_LENGTH) : '',
    encryptedKey: vault.encrypt(key, poolKeyPlace(channelId, keyMac)),
    keyMac,
    weight,
  };
};

/** Pasted keys as stored for a channel. */
export const newKeys = (
  vault: Pick<Vault, 'mac' | 'encrypt'>,
  channelId: number,
  pasted: readonly PastedKey[],
): NewChannelKey[] => pasted.map(({ key, label }) => newKey(vault, channelId, key, { label }));

/** The MAC of the channel's only key; undefined if it has several. */
const ownMac = ({ vault }: PoolKeyDeps, channel: ChannelRow): string | undefined =>
  hasPool(channel) ? undefined : vault.mac(openChannelKey(vault, channel));

/** A filter by whose keyword a whole key is found, too. */
export const keyFilter = (vault: Pick<Vault, 'mac'>, filter: ChannelKeyFilter): ChannelKeyFilter =>
  filter.keyword ? { ...filter, keyMac: vault.mac(filter.keyword) } : filter;

/** Finds a channel. Throws if there is none. */
export const foundChannel = async (
  { channels }: Pick<PoolKeyDeps, 'channels'>,
  id: number,
): Promise<ChannelRow> => {
  const row = await channels.byId(id);
  if (row === undefined) throw refuse('channel_missing');
  return row;
};

export type PoolKeys = ReturnType<typeof createPoolKeys>;

/** Reads the keys of channels that have several. */
export const createPoolKeys = (deps: PoolKeyDeps) => {
  const { channelKeys, vault } = deps;
  const channelOf = (id: number): Promise<ChannelRow> => foundChannel(deps, id);
  return {
    /** A page of a channel's keys; empty for a channel with a single key. */
    async list(channelId: number, filter: ChannelKeyFilter, page: PageRequest): Promise<KeyList> {
      const asked = keyFilter(vault, filter);
      const [{ poolMode: mode }, found, counts] = await Promise.all([
        channelOf(channelId),
        channelKeys.page(channelId, asked, page),
        channelKeys.counts(channelId),
      ]);
      return { ...found, mode, counts };
    },

    /** What adding a pasted list would do. Nothing is stored. */
    async preview(channelId: number, text: string): Promise<KeyPreview> {
      const channel = await channelOf(channelId);
      const { keys, repeated, remarks } = readKeys(channel.type, text);
      const macs = keys.map(({ key }) => vault.mac(key));
      const known = await channelKeys.has(channelId, macs);
      const own = ownMac(deps, channel);
      const elsewhere = new Map<number, number>();
      for (const { channelId: other } of await channelKeys.elsewhere(channelId, macs))
        elsewhere.set(other, (elsewhere.get(other) ?? 0) + 1);
      return {
        keys: keys.length,
        named: keys.filter(({ label }) => label !== '').length,
        repeated,
        remarks,
        known: macs.filter((mac) => known.has(mac) || mac === own).length,
        elsewhere,
      };
    },
  };
};
