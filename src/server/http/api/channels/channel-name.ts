import type { Routing } from '#core/channel/routing.ts';

/** A channel's name, whether it is enabled or can be read at all; empty if it was deleted. */
export const channelNameOf = ({ channels, bad }: Routing, id: number): string =>
  (channels.get(id) ?? bad.find((one) => one.id === id))?.name ?? '';
