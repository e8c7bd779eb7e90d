import { channelType } from './channel-types.ts';

/** `/v1` at the end of an address: another version of the same place. */
const VERSION = /\/v\d+\w*$/;

/**
 * Where a channel's key is sent: scheme, host, port and path of its address, or of its type's own. The path counts: one
 * host may have many tenants. Empty where nothing is known.
 */
export const keyHomeOf = (type: number, baseUrl: string): string => {
  const address = baseUrl.trim() || (channelType(type)?.baseUrl ?? '');
  if (!URL.canParse(address)) return '';
  const { origin, pathname, search } = new URL(address);
  return origin + pathname.replace(/\/+$/, '').replace(VERSION, '') + search;
};
