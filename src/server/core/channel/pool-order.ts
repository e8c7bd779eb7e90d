import type { Channel } from './channel.ts';
import { isWaiting, LONGEST_WAIT_MS } from './key-state.ts';
import type { PoolKey } from './pool.ts';

/** A pool sorted once, so that it takes no walk through a thousand keys to learn that none is open. */
export interface PoolOrder {
  /** In the order of the pool; the pool itself where all are. */
  readonly enabled: readonly PoolKey[];
  /** Those that come back by themselves, the first to come first. */
  readonly waiting: readonly PoolKey[];
  /** Where in `enabled` an open one was found last: there it mostly still is. Saves time and decides nothing. */
  hint: number;
}

const orders = new WeakMap<readonly PoolKey[], PoolOrder>();

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

/** The channels of a tier that have a key to be used, and when the first of the others gets one; wall clock. */
export interface Awake {
  readonly channels: readonly Channel[];
  readonly wakeMs: number;
}

const awakes = new WeakMap<readonly Channel[], Awake>();

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

/** How many of them wait until then at most. */
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
 * Of the keys of a pool that have waited to their end at most so many, others each second, so that none is left out for
 * long. What waits longer than anything may is due as well: the clock was put back (`isDue`).
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
