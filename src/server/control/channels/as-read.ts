import type { ChannelRow } from '#core/channel/channel.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { ChannelKeyRow, ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import { refuse } from '../refuse.ts';

/** Keys change their state while calls use them; each try reads again what it is about. */
const TRIES = 20;

/**
 * Does what depends on a channel as it was read: whether a key may stay depends on where it is sent. If the channel
 * changes in between, it is read and judged again. Throws `channel_changed` if that does not end.
 * @param attempt returns undefined if the channel was no longer as it was read
 */
export const asRead = async <Result>(attempt: () => Promise<Result | undefined>): Promise<Result> => {
  for (let time = 0; time < TRIES; time += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw refuse('channel_changed');
};

/** A channel with all keys of its pool as they were at one moment; undefined if it changed while it was read. */
export const channelWithKeys = async (
  channels: Pick<ChannelStore, 'byId'>,
  channelKeys: Pick<ChannelKeyStore, 'ofChannels'>,
  id: number,
): Promise<{ readonly row: ChannelRow; readonly keys: readonly ChannelKeyRow[] } | undefined> => {
  const row = await channels.byId(id);
  if (row === undefined) throw refuse('channel_missing');
  const keys = await channelKeys.ofChannels([id]);
  return (await channels.byId(id))?.revision === row.revision ? { row, keys } : undefined;
};
