import type { Channel } from '../channel.ts';
import { keyById, keyName, type PoolKey } from '../keys/pool.ts';

/**
 * The channel of an object stored by an upstream, with the key that created it; undefined if the channel does not exist
 * any more.
 */
export const keptAt = (
  channels: ReadonlyMap<number, Channel>,
  { channelId, keyId }: { readonly channelId: number; readonly keyId: number },
): Channel | undefined => {
  const channel = channels.get(channelId);
  return channel && seatById(channel, keyId);
};

/** By channel: one weak map of half a million keys would stop all calls for 30 ms when it grows. */
const seats = new WeakMap<Channel, Map<PoolKey, Channel>>();

/**
 * The channel as used with one of its keys and that key's proxy. Returns the same object while neither changes, so that
 * caches keyed by it stay valid.
 */
export const seatOf = (channel: Channel, key: PoolKey): Channel => {
  const ofChannel = seats.get(channel) ?? new Map<PoolKey, Channel>();
  const known = ofChannel.get(key);
  if (known !== undefined) return known;
  const { setting } = channel;
  const seat: Channel = {
    ...channel,
    key: key.key,
    keyId: key.id,
    keyName: keyName(key),
    pool: [],
    setting: key.proxy === undefined ? setting : { ...setting, proxy: key.proxy },
  };
  seats.set(channel, ofChannel.set(key, seat));
  return seat;
};

/**
 * The channel with the key that created an object, whatever the key's state: an upstream finds an object only with a
 * key of its account. If the key was deleted, uses the first enabled key, which may belong to the same account.
 */
export const seatById = (channel: Channel, keyId: number): Channel => {
  const { pool } = channel;
  if (pool.length === 0) return channel;
  const key = keyById(pool, keyId) ?? pool.find(({ state }) => state.status === 'enabled') ?? pool[0];
  return key === undefined ? channel : seatOf(channel, key);
};
