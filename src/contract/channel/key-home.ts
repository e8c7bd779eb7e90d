import { channelType } from '../channel-types.ts';
import { withoutEnd } from '../without-end.ts';

/** Scheme, host with port, path, query. */
const ADDRESS = /^(https?):\/\/([^/?#]+)(\/[^?#]*)?(\?.*)?$/i;
/** `/v1` at the end of an address: the version does not change the place. */
const VERSION = /\/v\d\w*$/;

/**
 * Where a channel's key is sent: scheme, host, port and path of its address, or of its type's default. The path counts,
 * because one host may serve many tenants. Empty if unknown.
 */
export const keyHomeOf = (type: number, baseUrl: string): string => {
  const address = baseUrl.trim() || (channelType(type)?.baseUrl ?? '');
  const [, scheme = '', host = '', path = '', query = ''] = ADDRESS.exec(address) ?? [];
  if (host === '') return '';
  const usualPort = scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/;
  const origin = `${scheme}://${host.replace(usualPort, '')}`.toLowerCase();
  return origin + withoutEnd(path, '/').replace(VERSION, '') + query;
};
