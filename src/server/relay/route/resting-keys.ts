import type { PoolKey } from '#core/channel/pool.ts';

/** What is asked: whether all of these keys of a channel cool for a model. */
export interface RestAsk {
  readonly channelId: number;
  readonly keys: readonly PoolKey[];
  readonly model: string;
  readonly nowMs: number;
}

interface Rest {
  readonly keys: readonly PoolKey[];
  readonly untilMs: number;
  /** Calls that were kept away since the keys were looked at. */
  passed: number;
}

/** So long it is believed without looking: a trial may begin earlier than its time (decision 35). */
export const LOOK_EVERY_MS = 1000;

/** Pools all of whose keys cool: found out once a second, as asking each of a thousand keys for every call takes long. */
export class RestingKeys {
  readonly #channels = new Map<number, Map<string, Rest>>();

  /**
   * @param coolUntil until when a key cools, undefined if it does not; and is told how many more calls were kept away from it
   * @param calls how many calls are kept away by it
   * @returns until when all of them cool, at least; undefined if they do not
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
    let untilMs = nowMs + LOOK_EVERY_MS;
    let isResting = true;
    for (const { id } of keys) {
      const coolMs = coolUntil(id, passed);
      if (coolMs === undefined) isResting = false;
      else untilMs = Math.min(untilMs, coolMs);
    }
    if (isResting) this.#keep(channelId, model, { keys, untilMs, passed: 0 });
    else this.changed(channelId);
    return isResting ? untilMs : undefined;
  }

  /** Something is known anew of a key of the channel. */
  changed(channelId: number): void {
    this.#channels.delete(channelId);
  }

  #keep(channelId: number, model: string, rest: Rest): void {
    const models = this.#channels.get(channelId) ?? new Map<string, Rest>();
    this.#channels.set(channelId, models.set(model, rest));
  }
}
