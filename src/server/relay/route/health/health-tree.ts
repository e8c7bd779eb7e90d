import { healthy, isForgotten } from '#core/channel/health/health.ts';
import { type HealthNode, type HealthNodes, type SeatId, WHOLE } from './health-node.ts';

const NODES_MAX = 20_000;

/** What is remembered of channels and keys that have failed, in bounded memory. */
export class HealthTree {
  /** By channel and key. Key 0 stands for the channel with any key. */
  readonly channels = new Map<number, Map<number, HealthNodes>>();
  readonly #nowMs: () => number;
  readonly #changed: (channelId: number) => void;
  #nodes = 0;

  /** @param changed is called where something about a channel is forgotten */
  constructor(nowMs: () => number, changed: (channelId: number) => void) {
    this.#nowMs = nowMs;
    this.#changed = changed;
  }

  /**
   * Forgets the failures of a node after a success. With `all`, also those of everything it stands for (the key's
   * models, or the channel's keys), except for what failed only sometimes, unless the node itself did.
   */
  forget(channelId: number, keyId: number, model: string, all = false): void {
    const keys = this.channels.get(channelId);
    if (keys === undefined) return;
    this.#changed(channelId);
    const isAll = keys.get(keyId)?.get(model)?.health.isMixed === true;
    this.#delete(keys.get(keyId), model);
    for (const [key, models] of keys) {
      if (all && (keyId === 0 || key === keyId))
        for (const [name, { health }] of models) if (isAll || !health.isMixed) this.#delete(models, name);
      if (models.size === 0) keys.delete(key);
    }
    if (keys.size === 0) this.channels.delete(channelId);
  }

  #delete(models: HealthNodes | undefined, model: string): void {
    if (models?.delete(model) === true) this.#nodes -= 1;
  }

  /** Calls `visit` for everything remembered about the seat, including what holds for the channel with any key. */
  each(
    { id, keyId }: SeatId,
    model: string,
    visit: (node: HealthNode, keyId: number, model: string) => void,
  ): void {
    const keys = this.channels.get(id);
    if (keys === undefined) return;
    for (const key of keyId === 0 ? [0] : [0, keyId])
      for (const name of [WHOLE, model]) {
        const node = keys.get(key)?.get(name);
        if (node !== undefined) visit(node, key, name);
      }
  }

  node(channelId: number, keyId: number, model: string): HealthNode {
    const keys = this.channels.get(channelId) ?? new Map<number, HealthNodes>();
    const models = keys.get(keyId) ?? new Map<string, HealthNode>();
    const known = models.get(model);
    if (known !== undefined) return known;
    if (this.#nodes >= NODES_MAX) this.#makeRoom();
    const node: HealthNode = { health: healthy, passed: 0, models: [], keyIds: [] };
    this.channels.set(channelId, keys.set(keyId, models.set(model, node)));
    this.#nodes += 1;
    return node;
  }

  /** Drops entries whose time is over; if there are none, the channel that has been failing for the longest time. */
  #makeRoom(): void {
    const nowMs = this.#nowMs();
    for (const [channelId, keys] of this.channels)
      for (const [keyId, models] of keys)
        for (const [model, { health }] of models)
          if (isForgotten(health, nowMs)) this.forget(channelId, keyId, model);
    if (this.#nodes < NODES_MAX) return;
    const [oldest] = this.channels;
    if (oldest === undefined) return;
    this.#changed(oldest[0]);
    for (const models of oldest[1].values()) this.#nodes -= models.size;
    this.channels.delete(oldest[0]);
  }
}
