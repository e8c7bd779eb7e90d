import type { ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type { Log } from '#core/logging.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { openedOrTold } from '../../open-sealed.ts';
import { poolKeyPlace, proxyPlace } from '#core/secrets/sealed-places.ts';
import { StoredPool, type KeyOpeners } from './stored-pool.ts';

/** How many keys, or keys of one channel, are read at once, so that other work runs in between. */
const KEYS_AT_ONCE = 500;

export interface PoolReaderDeps {
  readonly channelKeys: Pick<ChannelKeyStore, 'ofChannels' | 'sizes'>;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly log: Log;
}

/**
 * The pools of those channels that have one, by channel id. Left out are channels whose keys changed after the row was
 * read, because its address may not be the one of the new keys.
 * @param last the pool of a channel as it was read before
 */
export type ReadPools = (
  rows: readonly ChannelRow[],
  last: (channelId: number) => StoredPool | undefined,
) => Promise<ReadonlyMap<number, StoredPool>>;

/** Reads pools. Keys of channels whose keys have not changed since the last reading are not read again. */
export const createPoolReader = ({ channelKeys, vault, log }: PoolReaderDeps): ReadPools => {
  const openers: KeyOpeners = {
    // What cannot be decrypted is sent as an empty text: its proxy or upstream refuses it, and the next key is tried.
    openPassword: (sealed, proxy) =>
      openedOrTold({ vault, log }, { sealed, place: proxyPlace(proxy), row: `proxy ${proxy}` }) ?? '',
    openKey: ({ id, channelId, keyMac, encryptedKey: sealed }) => {
      const row = `key ${id} of channel ${channelId}`;
      return openedOrTold({ vault, log }, { sealed, place: poolKeyPlace(channelId, keyMac), row }) ?? '';
    },
  };
  return async (rows, last) => {
    const pools = new Map<number, StoredPool>();
    const changed: ChannelRow[] = [];
    for (const row of rows) {
      if (row.keysVersion === 0) continue;
      const known = last(row.id);
      if (known?.version === row.keysVersion) pools.set(row.id, known);
      else changed.push(row);
    }
    for (const some of await batchesOf(changed, channelKeys)) {
      const keys = await channelKeys.ofChannels(some.map(({ id }) => id));
      const byChannel = Map.groupBy(keys, ({ channelId }) => channelId);
      for (const { id, keysVersion: version } of some) {
        const ofChannel = byChannel.get(id) ?? [];
        if (ofChannel.some(({ revision }) => revision > version)) continue;
        pools.set(id, new StoredPool({ id, version }, ofChannel, openers, last(id)));
      }
    }
    return pools;
  };
};

/** Channels in batches of so many keys, or of one channel. */
const batchesOf = async (
  channels: readonly ChannelRow[],
  channelKeys: PoolReaderDeps['channelKeys'],
): Promise<readonly ChannelRow[][]> => {
  const sizes = await channelKeys.sizes(channels.map(({ id }) => id));
  const batches: ChannelRow[][] = [];
  let room = 0;
  for (const channel of channels) {
    const size = sizes.get(channel.id) ?? 1;
    const last = batches.at(-1);
    if (last === undefined || size > room) {
      batches.push([channel]);
      room = KEYS_AT_ONCE - size;
    } else {
      last.push(channel);
      room -= size;
    }
  }
  return batches;
};
