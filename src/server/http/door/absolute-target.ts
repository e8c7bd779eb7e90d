import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isHost } from './oddity.ts';

/** The refusal of a request because of its head. */
export interface RefusedTarget {
  readonly status: 400 | 421;
  readonly message: string;
}

const ABSOLUTE = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(.*)/is;

/** The host of a request that names none is the address it reached (RFC 9112, 3.3). */
const reachedAt = ({ localAddress = '', localPort = 0 }: Socket): string =>
  `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${String(localPort)}`;

const setHost = ({ headers, rawHeaders }: IncomingMessage, host: string): void => {
  if (headers.host === undefined) rawHeaders.push('Host', host);
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'host') rawHeaders[at + 1] = host;
  headers.host = host;
};

/**
 * Splits a request target in absolute form (`http://host/path`, as sent to proxies) into a path and a host. Every
 * server must accept it, and its host takes precedence over the Host header (RFC 9112, 3.2.2). Other targets stay as
 * they are. HTTP/1.0, which some probes speak, need not name a host at all.
 * @param secure whether the client spoke https; otherwise a target of https is refused (RFC 9110, 7.4)
 */
export const readAbsoluteTarget = (request: IncomingMessage, secure: boolean): RefusedTarget | undefined => {
  const { url = '', headers, httpVersion, socket } = request;
  const mayBeNameless = httpVersion === '1.0' && headers.host === undefined;
  if (url.charCodeAt(0) === 0x2f) {
    if (mayBeNameless) setHost(request, reachedAt(socket));
    return undefined;
  }
  const [, scheme = '', authority = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  const spoken = scheme.toLowerCase();
  if (spoken !== 'http' && spoken !== 'https')
    return { status: 400, message: 'the target must be a path, or an address of http or https' };
  // User information before the host serves to deceive (RFC 9110, 4.2.4).
  if (authority.includes('@')) return { status: 400, message: 'the target must not name a user' };
  if (!isHost(authority)) return { status: 400, message: 'the target names no host' };
  if (spoken === 'https' && !secure)
    return { status: 421, message: 'an address of https came over a connection without it' };
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  // A Host header that is missing or invalid is refused even then.
  if (mayBeNameless || isHost(headers.host ?? '')) setHost(request, authority);
  return undefined;
};
