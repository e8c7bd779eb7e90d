import type { ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type { PoolKey } from '#core/channel/keys/pool.ts';
import type { Log } from '#core/logging.ts';
import type { Vault } from '#core/vault.ts';
import { proxyPasswordOpener } from '../channel-proxy.ts';
import { poolKeyPlace } from './key-places.ts';
import { KeptPool, type KeyOpeners } from './kept-pool.ts';

/** How many keys, or keys of one channel, are read at once, so that other work runs in between. */
const KEYS_AT_ONCE = 500;

export interface KnownPoolDeps {
  readonly channelKeys: Pick<ChannelKeyStore, 'ofChannels' | 'sizes'>;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly log: Log;
}

/** Remembers the pools. Keys of channels whose keys have not changed since the last reading are not read again. */
export class KnownPools {
  readonly #deps: KnownPoolDeps;
  readonly #openers: KeyOpeners;
  #last: ReadonlyMap<number, KeptPool> = new Map();

  constructor(deps: KnownPoolDeps) {
    this.#deps = deps;
    const openPassword = proxyPasswordOpener(deps.vault);
    this.#openers = { openKey: (sealed) => this.#open(sealed), openPassword };
  }

  /** The keys of the channels that have several, by channel id. */
  async of(rows: readonly ChannelRow[]): Promise<ReadonlyMap<number, readonly PoolKey[]>> {
    const next = new Map<number, KeptPool>();
    const changed: ChannelRow[] = [];
    for (const row of rows) {
      if (row.keysVersion === 0) continue;
      const last = this.#last.get(row.id);
      if (last?.version === row.keysVersion) next.set(row.id, last);
      else changed.push(row);
    }
    for (const some of await this.#batches(changed)) await this.#read(some, next);
    this.#last = next;
    return new Map([...next].map(([id, { keys }]) => [id, keys]));
  }

  async #batches(channels: readonly ChannelRow[]): Promise<readonly ChannelRow[][]> {
    const sizes = await this.#deps.channelKeys.sizes(channels.map(({ id }) => id));
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
  }

  async #read(channels: readonly ChannelRow[], into: Map<number, KeptPool>): Promise<void> {
    const read = await this.#deps.channelKeys.ofChannels(channels.map(({ id }) => id));
    const byChannel = Map.groupBy(read, ({ channelId }) => channelId);
    for (const { id, keysVersion: version } of channels)
      into.set(id, new KeptPool({ id, version }, byChannel.get(id) ?? [], this.#openers, this.#last.get(id)));
  }

  /** A key that cannot be decrypted is sent as an empty text: its upstream refuses it, and the next key is tried. */
  #open({ id, channelId, keyMac, encryptedKey }: Parameters<KeyOpeners['openKey']>[0]): string {
    try {
      return this.#deps.vault.decrypt(encryptedKey, poolKeyPlace(channelId, keyMac));
    } catch (error) {
      this.#deps.log.error('the key of a channel could not be decrypted', {
        channel: channelId,
        key: id,
        error,
      });
      return '';
    }
  }
}
