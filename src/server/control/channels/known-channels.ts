import { setImmediate } from 'node:timers/promises';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import { readChannel } from '#core/channel/parse-channel.ts';
import type { ChannelOpeners, ReadChannel } from '#core/channel/routing.ts';
import type { StoredPool } from './keys/stored-pool.ts';
import type { ReadPools } from './keys/pool-reader.ts';

export interface KnownChannelDeps {
  readonly channels: Pick<ChannelStore, 'revisions' | 'byIds'>;
  readonly readPools: ReadPools;
  readonly openers: ChannelOpeners;
}

/** How many rows are read at once: thousands with long lists of models would delay other calls. */
const ROWS_AT_ONCE = 200;
/** How often a channel is read again whose keys change while it is read. */
const READ_TIMES = 5;
/** How many rows are parsed in one turn of the event loop. */
const PARSED_AT_ONCE = 50;

interface Known {
  readonly revision: number;
  readonly channel: ReadChannel;
  readonly pool: StoredPool | undefined;
}

/** Remembers the channels as they were read. Only those that have changed since are read and parsed again. */
export class KnownChannels {
  readonly #deps: KnownChannelDeps;
  #known: ReadonlyMap<number, Known> = new Map();

  constructor(deps: KnownChannelDeps) {
    this.#deps = deps;
  }

  /** All channels as they are now, by id; those that have not changed are the same objects as before. */
  async read(): Promise<readonly ReadChannel[]> {
    const revisions = await this.#deps.channels.revisions();
    const next = new Map<number, Known>();
    const changed: number[] = [];
    for (const { id, revision } of revisions) {
      const known = this.#known.get(id);
      if (known?.revision === revision) next.set(id, known);
      else changed.push(id);
    }
    for (let start = 0; start < changed.length; start += ROWS_AT_ONCE)
      await this.#readSome(changed.slice(start, start + ROWS_AT_ONCE), next);
    this.#known = next;
    return revisions.flatMap(({ id }) => next.get(id)?.channel ?? []);
  }

  /**
   * A channel that was deleted in the meantime is left out. One whose keys changed in the meantime is read again; if they
   * do not stop changing, it stays as it was read last until the reading that the latest change asks for.
   */
  async #readSome(ids: readonly number[], into: Map<number, Known>): Promise<void> {
    const { channels, readPools, openers } = this.#deps;
    let left = ids;
    for (let time = 1; left.length > 0 && time <= READ_TIMES; time += 1) {
      const rows = await channels.byIds(left);
      const pools = await readPools(rows, (id) => this.#known.get(id)?.pool);
      const again: number[] = [];
      for (const [place, row] of rows.entries()) {
        if (place > 0 && place % PARSED_AT_ONCE === 0) await setImmediate();
        const { id, revision, keysVersion } = row;
        const pool = pools.get(id);
        if (keysVersion > 0 && pool === undefined) again.push(id);
        else into.set(id, { revision, channel: readChannel(row, openers, pool?.keys), pool });
      }
      left = again;
    }
    for (const id of left) {
      const known = this.#known.get(id);
      if (known !== undefined) into.set(id, known);
    }
  }
}
