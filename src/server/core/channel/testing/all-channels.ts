import type { ChannelRow } from '../channel.ts';
import type { ChannelStore } from '../channel-store.ts';

/** The rows of all channels, by id. */
export const allChannels = async (
  channels: Pick<ChannelStore, 'revisions' | 'byIds'>,
): Promise<readonly ChannelRow[]> => channels.byIds((await channels.revisions()).map(({ id }) => id));
