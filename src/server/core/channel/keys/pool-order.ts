import type { Channel } from '../channel.ts';
import { isWaiting, LONGEST_WAIT_MS } from './key-state.ts';
import type { PoolKey } from './pool.ts';

/** A pool sorted once, so that no call has to walk a thousand keys to find that none is open. */
export interface PoolOrder {
  /** In the order of the pool; the pool itself if all are enabled. */
  readonly enabled: readonly PoolKey[];
  /** Keys that become usable again by themselves, soonest first. */
  readonly waiting: readonly PoolKey[];
  /**
   * The index in `enabled` of the key that was open last: usually it still is. Only saves time and does not affect the
   * choice.
   */
  hint: number;
}

const orders = new WeakMap<readonly PoolKey[], PoolOrder>();

/** The sorted pool; sorted on first use and remembered as long as the pool exists. */
export const orderOf = (pool: readonly PoolKey[]): PoolOrder => {
  let order = orders.get(pool);
  if (order === undefined) {
    const enabled = pool.filter(({ state }) => state.status === 'enabled');
    const waiting = pool
      .filter(({ state }) => isWaiting(state))
      .sort((one, other) => one.state.untilMs - other.state.untilMs);
    order = { enabled: enabled.length === pool.length ? pool : enabled, waiting, hint: 0 };
    orders.set(pool, order);
  }
  return order;
};

/** The channels of a tier that have a usable key, and when the first of the others gets one, by the wall clock. */
export interface Awake {
  readonly channels: readonly Channel[];
  readonly wakeMs: number;
}

const awakes = new WeakMap<readonly Channel[], Awake>();

/** The usable channels of a tier; computed on first use and remembered as long as the list exists. */
export const awakeOf = (channels: readonly Channel[]): Awake => {
  let awake = awakes.get(channels);
  if (awake === undefined) {
    let wakeMs = Infinity;
    const usable = channels.filter(({ pool }) => {
      if (pool.length === 0) return true;
      const { enabled, waiting } = orderOf(pool);
      if (enabled.length === 0) wakeMs = Math.min(wakeMs, waiting[0]?.state.untilMs ?? Infinity);
      return enabled.length > 0;
    });
    awake = { channels: usable.length === channels.length ? channels : usable, wakeMs };
    awakes.set(channels, awake);
  }
  return awake;
};

/** The number of keys whose wait ends by then. */
const until = (waiting: readonly PoolKey[], ms: number): number => {
  let [low, high] = [0, waiting.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((waiting[middle]?.state.untilMs ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
};

const NONE: readonly PoolKey[] = [];

/**
 * Keys of a pool whose wait is over, at most this many, and different ones each second, so that none is left out for
 * long. A key that waits longer than possible is due as well: the clock was set back (`isDue`).
 */
export const dueKeys = (pool: readonly PoolKey[], nowMs: number, most: number): readonly PoolKey[] => {
  const { waiting } = orderOf(pool);
  const first = waiting[0];
  const last = waiting.at(-1);
  if (first === undefined || last === undefined) return NONE;
  if (first.state.untilMs > nowMs && last.state.untilMs <= nowMs + LONGEST_WAIT_MS) return NONE;
  const past = until(waiting, nowMs);
  const farFrom = until(waiting, nowMs + LONGEST_WAIT_MS);
  const count = past + waiting.length - farFrom;
  const start = Math.floor(nowMs / 1000);
  const due: PoolKey[] = [];
  for (let step = 0; step < Math.min(count, most); step += 1) {
    const place = (start + step) % count;
    const key = waiting[place < past ? place : farFrom + place - past];
    if (key !== undefined) due.push(key);
  }
  return due;
};
