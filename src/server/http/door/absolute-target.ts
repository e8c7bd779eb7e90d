import type { IncomingMessage } from 'node:http';
import { isHost } from './oddity.ts';

/** What a request is refused with, because of its head. */
export interface RefusedTarget {
  readonly status: 400 | 421;
  readonly message: string;
}

const ABSOLUTE = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(.*)$/i;

/**
 * Reads a target as it is sent to a proxy (`http://host/path`): every server must take it, and its host is the request's,
 * whatever the Host header says (RFC 9112, 3.2.2). Afterwards the request is as if its path and host had been sent apart.
 * Requests with a path as target are left as they are.
 * @param secure whether the client spoke https; otherwise a target of https is refused (RFC 9110, 7.4)
 */
export const readAbsoluteTarget = (request: IncomingMessage, secure: boolean): RefusedTarget | undefined => {
  const { url = '', headers, rawHeaders } = request;
  if (url.charCodeAt(0) === 0x2f) return undefined;
  const [, scheme = '', authority = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  const spoken = scheme.toLowerCase();
  if (spoken !== 'http' && spoken !== 'https')
    return { status: 400, message: 'the target must be a path, or an address of http or https' };
  // RFC 9110, 4.2.4: a name before the host is there to deceive.
  if (authority.includes('@')) return { status: 400, message: 'the target must not name a user' };
  if (!isHost(authority)) return { status: 400, message: 'the target names no host' };
  if (spoken === 'https' && !secure)
    return { status: 421, message: 'an address of https came over a connection without it' };
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  // A header that names no host is refused all the same.
  if (!isHost(headers.host ?? '')) return undefined;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'host') rawHeaders[at + 1] = authority;
  headers.host = authority;
  return undefined;
};
