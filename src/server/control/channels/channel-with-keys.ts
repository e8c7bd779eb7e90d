import type { ChannelRow } from '#core/channel/channel.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { ChannelKeyRow, ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import { refuse } from '../refuse.ts';

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
