import type { PoolKey } from '#core/channel/keys/pool.ts';

/** The question whether all of these keys of a channel cool for a model. */
export interface RestAsk {
  readonly channelId: number;
  readonly keys: readonly PoolKey[];
  readonly model: string;
  readonly nowMs: number;
}

interface Rest {
  readonly keys: readonly PoolKey[];
  readonly untilMs: number;
  /** The number of calls kept away since the keys were looked at. */
  passed: number;
}

/** Pools in which every key cools down. Remembered, because checking a thousand keys for every call takes long. */
export class RestingKeys {
  readonly #channels = new Map<number, Map<string, Rest>>();

  /**
   * @param coolUntil until when a key surely cools, undefined if it does not; receives the number of calls to count as
   * kept away
   * @param calls the number of calls it keeps away
   * @returns until when all of them cool at least; undefined if they do not
   */
  until(
    { channelId, keys, model, nowMs }: RestAsk,
    coolUntil: (keyId: number, passed: number) => number | undefined,
    calls: number,
  ): number | undefined {
    const known = this.#channels.get(channelId)?.get(model);
    const isSame = known?.keys === keys;
    if (isSame && nowMs < known.untilMs) {
      known.passed += calls;
      return known.untilMs;
    }
    const passed = isSame ? known.passed : 0;
    let untilMs = Infinity;
    let isResting = true;
    for (const { id } of keys) {
      const coolMs = coolUntil(id, passed);
      if (coolMs !== undefined) untilMs = Math.min(untilMs, coolMs);
      else {
        isResting = false;
        // No calls are to be counted at the others.
        if (passed === 0) break;
      }
    }
    if (isResting) this.#keep(channelId, model, { keys, untilMs, passed: 0 });
    else this.changed(channelId);
    return isResting ? untilMs : undefined;
  }

  /** Notes that something about a key of the channel has changed. */
  changed(channelId: number): void {
    this.#channels.delete(channelId);
  }

  #keep(channelId: number, model: string, rest: Rest): void {
    const models = this.#channels.get(channelId) ?? new Map<string, Rest>();
    this.#channels.set(channelId, models.set(model, rest));
  }
}
