import type { Channel } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Channels } from '../../control/channels.ts';
import { refuse } from '../../control/refuse.ts';

/** A saved channel with its key open, enabled or not. Throws `refused` where there is none, or it does not read. */
export const openedChannel = async (channels: Channels, routing: Routing, id: number): Promise<Channel> => {
  const channel = routing.channels.get(id);
  if (channel !== undefined) return channel;
  await channels.read(id);
  throw refuse('channel_unreadable', { issue: routing.bad.find((bad) => bad.id === id)?.reason ?? '' });
};
