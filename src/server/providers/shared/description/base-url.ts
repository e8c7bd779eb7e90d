import { channelType } from '#contract/channel-types.ts';
import type { Channel } from '#core/channel/channel.ts';
import { withoutEnd } from '#contract/without-end.ts';

/** The channel's address, or its type's default, without any part of `path` that was pasted along with it. */
export const baseUrlOf = (channel: Channel, path = ''): string => {
  const address = channel.baseUrl === '' ? (channelType(channel.type)?.baseUrl ?? '') : channel.baseUrl;
  return withoutStart(withoutEnd(address, '/'), path);
};

/**
 * Removes the start of `path` from the end of an address, so that appending `path` doubles nothing: operators often paste
 * an address with the whole path or its first segments.
 */
export const withoutStart = (address: string, path: string): string => {
  for (let start = path; start.length > 1; start = start.slice(0, start.lastIndexOf('/')))
    if (address.endsWith(start)) return address.slice(0, -start.length);
  return address;
};
