import type { Channel } from './channel.ts';
import { keyById, keyName, type PoolKey } from './pool.ts';

/** The channel of something that an upstream keeps, with the key it was made with; undefined if the channel is gone. */
export const keptAt = (
  channels: ReadonlyMap<number, Channel>,
  { channelId, keyId }: { readonly channelId: number; readonly keyId: number },
): Channel | undefined => {
  const channel = channels.get(channelId);
  return channel && seatById(channel, keyId);
};

interface Seat {
  readonly of: Channel;
  readonly seat: Channel;
}

const seats = new WeakMap<PoolKey, Seat>();

/**
 * The channel as it is used with one of its keys, and with that key's proxy. The same object each time, as long as neither
 * changes: what is remembered of it stays known.
 */
export const seatOf = (channel: Channel, key: PoolKey): Channel => {
  const known = seats.get(key);
  if (known?.of === channel) return known.seat;
  const { setting } = channel;
  const seat: Channel = {
    ...channel,
    key: key.key,
    keyId: key.id,
    keyName: keyName(key),
    pool: [],
    setting: key.proxy === undefined ? setting : { ...setting, proxy: key.proxy },
  };
  seats.set(key, { of: channel, seat });
  return seat;
};

/**
 * The channel with the key that something was made with, whatever its state: what an upstream keeps is found with the key
 * of its account only. If the key is gone, with the first that is enabled; another key may be of the same account.
 */
export const seatById = (channel: Channel, keyId: number): Channel => {
  const { pool } = channel;
  if (pool.length === 0) return channel;
  const key = keyById(pool, keyId) ?? pool.find(({ state }) => state.status === 'enabled') ?? pool[0];
  return key === undefined ? channel : seatOf(channel, key);
};
