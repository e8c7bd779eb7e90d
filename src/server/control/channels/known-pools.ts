import { poolKeyPlace } from './key-places.ts';
import type { ChannelKeyRow, ChannelKeyStore } from '#core/channel/channel-key-store.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import { parseKey } from '#core/channel/parse-key.ts';
import type { PoolKey } from '#core/channel/pool.ts';
import type { Log } from '#core/logging.ts';
import type { Vault } from '#core/vault.ts';
import { proxyPasswordOpener } from './channel-proxy.ts';

/** So many channels' keys are read at once: at most a thousand each. */
const CHANNELS_AT_ONCE = 20;

export interface KnownPoolDeps {
  readonly channelKeys: Pick<ChannelKeyStore, 'ofChannels'>;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly log: Log;
}

interface Known {
  readonly version: number;
  readonly keys: readonly PoolKey[];
  /** The revision of each key. */
  readonly revisions: ReadonlyMap<number, number>;
}

/** The pools of the last reading. Keys of channels whose keys have not changed since are not read again. */
export class KnownPools {
  readonly #deps: KnownPoolDeps;
  readonly #openPassword: ReturnType<typeof proxyPasswordOpener>;
  #last: ReadonlyMap<number, Known> = new Map();

  constructor(deps: KnownPoolDeps) {
    this.#deps = deps;
    this.#openPassword = proxyPasswordOpener(deps.vault);
  }

  /** The keys of the channels that have several, by id. */
  async of(rows: readonly ChannelRow[]): Promise<ReadonlyMap<number, readonly PoolKey[]>> {
    const next = new Map<number, Known>();
    const changed: ChannelRow[] = [];
    for (const row of rows) {
      if (row.keysVersion === 0) continue;
      const last = this.#last.get(row.id);
      if (last?.version === row.keysVersion) next.set(row.id, last);
      else changed.push(row);
    }
    for (let start = 0; start < changed.length; start += CHANNELS_AT_ONCE)
      await this.#read(changed.slice(start, start + CHANNELS_AT_ONCE), next);
    this.#last = next;
    return new Map([...next].map(([id, { keys }]) => [id, keys]));
  }

  async #read(channels: readonly ChannelRow[], into: Map<number, Known>): Promise<void> {
    const read = await this.#deps.channelKeys.ofChannels(channels.map(({ id }) => id));
    const byChannel = Map.groupBy(read, ({ channelId }) => channelId);
    for (const { id, keysVersion } of channels) {
      const rows = byChannel.get(id) ?? [];
      into.set(id, this.#known(keysVersion, rows, this.#last.get(id)));
    }
  }

  #known(version: number, rows: readonly ChannelKeyRow[], last: Known | undefined): Known {
    const before = new Map(last?.keys.map((key) => [key.id, key]));
    const keys = rows.map((row) => {
      const known = last?.revisions.get(row.id) === row.revision ? before.get(row.id) : undefined;
      return known ?? parseKey(row, (sealed) => this.#open(sealed), this.#openPassword);
    });
    return { version, keys, revisions: new Map(rows.map(({ id, revision }) => [id, revision])) };
  }

  /** A key that does not open is sent as nothing: its upstream then refuses it, and the next one is tried. */
  #open({ id, channelId, keyMac, encryptedKey }: ChannelKeyRow): string {
    try {
      return this.#deps.vault.decrypt(encryptedKey, poolKeyPlace(channelId, keyMac));
    } catch (error) {
      this.#deps.log.error('a key of a channel does not open', { channel: channelId, key: id, error });
      return '';
    }
  }
}
