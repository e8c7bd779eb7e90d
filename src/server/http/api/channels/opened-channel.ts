import type { Channel } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Channels } from '../../../control/channels/channels.ts';
import { refuse } from '../../../control/refuse.ts';

/** A saved channel, enabled or not, with its key decrypted. Throws `refused` if it does not exist or is invalid. */
export const openedChannel = async (channels: Channels, routing: Routing, id: number): Promise<Channel> => {
  const channel = routing.channels.get(id);
  if (channel !== undefined) return channel;
  await channels.read(id);
  throw refuse('channel_unreadable', { issue: routing.bad.find((bad) => bad.id === id)?.reason ?? '' });
};
