import type { ChannelKeyRow } from '#core/channel/keys/channel-key-store.ts';
import { parseKeyLimits, parseKeyProxy, parseKeyState, withoutLimits } from '#core/channel/keys/parse-key.ts';
import type { KeyLimits, KeyState, PoolKey } from '#core/channel/keys/pool.ts';
import type { OpenProxyPassword, OutboundProxy } from '#core/outbound/outbound-proxy.ts';
import { Secret } from '#core/secrets/secret.ts';

type SealedKey = Pick<ChannelKeyRow, 'id' | 'channelId' | 'encryptedKey' | 'keyMac'>;

/** Decrypts a key and its proxy's password. */
export interface KeyOpeners {
  readonly openKey: (sealed: SealedKey) => string;
  readonly openPassword: OpenProxyPassword;
}

/** Separates an encrypted key from its MAC, and fills up the last characters of keys; contained in none of them. */
const PART = '\n';

/**
 * The keys of a channel. A site may have half a million, most of them long unused. Encrypted keys therefore lie side by
 * side in one buffer, rare fields in maps, and a key is decrypted when it is first sent.
 */
export class StoredPool {
  readonly keys: readonly PoolKey[];
  readonly version: number;
  readonly #rows: readonly StoredPoolKey[];
  readonly #channelId: number;
  readonly #openers: KeyOpeners;
  readonly #revisions: Float64Array;
  readonly #sealed: Buffer;
  /** Where each key begins in `#sealed`, and where the last one ends. */
  readonly #starts: Float64Array;
  /** Side by side as well, each filled up to the same length. */
  readonly #tails: string;
  readonly #tailLength: number;
  readonly #labels = new Map<number, string>();
  readonly #limits = new Map<number, KeyLimits>();
  readonly #proxies = new Map<number, OutboundProxy>();

  /**
   * @param rows all keys of the channel, by id
   * @param last the previous pool: keys that have not changed since stay the same objects
   */
  constructor(
    { id, version }: { readonly id: number; readonly version: number },
    rows: readonly ChannelKeyRow[],
    openers: KeyOpeners,
    last?: StoredPool,
  ) {
    this.version = version;
    this.#channelId = id;
    this.#openers = openers;
    this.#revisions = Float64Array.from(rows, ({ revision }) => revision);
    this.#starts = new Float64Array(rows.length + 1);
    const texts = rows.map(({ encryptedKey, keyMac }) => encryptedKey + PART + keyMac);
    for (const [place, text] of texts.entries())
      this.#starts[place + 1] = (this.#starts[place] ?? 0) + Buffer.byteLength(text);
    // Not from the shared pool for small buffers, which would keep unrelated data alive.
    this.#sealed = Buffer.allocUnsafeSlow(this.#starts.at(-1) ?? 0);
    for (const [place, text] of texts.entries()) this.#sealed.write(text, this.#starts[place] ?? 0);
    this.#tailLength = rows.reduce((most, { tail }) => Math.max(most, tail.length), 0);
    this.#tails = rows.map(({ tail }) => tail.padEnd(this.#tailLength, PART)).join('');
    const before = last === undefined ? undefined : last.#byRevision();
    this.#rows = rows.map((row, place) => {
      this.#keepRare(row, place);
      const known = before?.get(row.id);
      if (known?.revision !== row.revision) return new StoredPoolKey(this, place, row);
      known.key.move(this, place);
      return known.key;
    });
    this.keys = this.#rows;
  }

  get channelId(): number {
    return this.#channelId;
  }

  label(place: number): string {
    return this.#labels.get(place) ?? '';
  }

  tail(place: number): string {
    const start = place * this.#tailLength;
    return this.#tails.slice(start, start + this.#tailLength).replaceAll(PART, '');
  }

  limits(place: number): KeyLimits {
    return this.#limits.get(place) ?? withoutLimits;
  }

  proxy(place: number): OutboundProxy | undefined {
    return this.#proxies.get(place);
  }

  secret(place: number): Secret {
    const { id = 0 } = this.#rows[place] ?? {};
    return new Secret(() => {
      const bytes = this.#sealed.subarray(this.#starts[place], this.#starts[place + 1]);
      const [encryptedKey = '', keyMac = ''] = bytes.toString().split(PART);
      return this.#openers.openKey({ id, channelId: this.#channelId, encryptedKey, keyMac });
    });
  }

  #keepRare(row: ChannelKeyRow, place: number): void {
    if (row.label !== '') this.#labels.set(place, row.label);
    if (row.limits !== '') this.#limits.set(place, parseKeyLimits(row.limits));
    const proxy = parseKeyProxy(row, this.#openers.openPassword);
    if (proxy !== undefined) this.#proxies.set(place, proxy);
  }

  #byRevision(): ReadonlyMap<number, { readonly key: StoredPoolKey; readonly revision: number }> {
    return new Map(this.#rows.map((key, place) => [key.id, { key, revision: this.#revisions[place] ?? 0 }]));
  }
}

class StoredPoolKey implements PoolKey {
  readonly id: number;
  readonly state: KeyState;
  readonly weight: number;
  #pool: StoredPool;
  #place: number;

  constructor(pool: StoredPool, place: number, row: ChannelKeyRow) {
    this.id = row.id;
    this.state = parseKeyState(row);
    this.weight = Math.max(0, row.weight);
    this.#pool = pool;
    this.#place = place;
  }

  /** Moves this key to a newer pool with the same values, so that the older pool can be freed. */
  move(pool: StoredPool, place: number): void {
    this.#pool = pool;
    this.#place = place;
  }

  get channelId(): number {
    return this.#pool.channelId;
  }

  get label(): string {
    return this.#pool.label(this.#place);
  }

  get tail(): string {
    return this.#pool.tail(this.#place);
  }

  /** A new object each time: a seat keeps the one it got. */
  get key(): Secret {
    return this.#pool.secret(this.#place);
  }

  get limits(): KeyLimits {
    return this.#pool.limits(this.#place);
  }

  get proxy(): OutboundProxy | undefined {
    return this.#pool.proxy(this.#place);
  }
}
