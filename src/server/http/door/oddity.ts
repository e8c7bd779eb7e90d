import type { IncomingMessage } from 'node:http';

const HEADERS_MAX = 100;
/** Paths that programs interpret differently: `..` segments, backslashes and `#`. */
const TWO_WAYS = /[\\#]|\/(?:\.|%2e){1,2}(?:[/?]|$)/i;
/** The name or address of a host and its port (RFC 9110, 7.2; RFC 3986, 3.2.2). */
const HOST = /^(?:\[[\w:.%~-]+\]|[\w.~%!$&'()*+,;=-]+)(?::\d{0,5})?$/;

/** Whether a `Host` header names a host. Parsers disagree on anything else. */
export const isHost = (host: string): boolean => HOST.test(host);

/** Headers that decide who calls and what was sent. Repeating the same value is harmless. */
const DECISIVE: ReadonlySet<string> = new Set(['authorization', 'content-type']);

/**
 * Detects headers that node accepts but that make no sense, or that a proxy in front of us could read differently:
 * several Hosts, a Host that names none, two keys, ambiguous targets, unknown codings, hundreds of headers. Undefined if
 * nothing is odd.
 */
export const oddity = (request: IncomingMessage): string | undefined => {
  const { rawHeaders, url = '', httpVersion, httpVersionMajor, headers } = request;
  if (httpVersionMajor !== 1) return 'only HTTP/1.1 and 1.0 are spoken here';
  if (url.charCodeAt(0) !== 0x2f) return 'the target must be a path';
  if (TWO_WAYS.test(pathOf(url))) return 'the path can be read in two ways';
  if (rawHeaders.length > HEADERS_MAX * 2) return 'too many headers';
  // RFC 9112, 6.1: such framing must be treated as faulty.
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)
    return 'HTTP/1.0 has no transfer coding';
  // Node accepts any list that ends in `chunked`, and does not decode what precedes it.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    return 'no transfer coding but chunked is understood';
  return doubled(rawHeaders);
};

/**
 * The same for a request to open a WebSocket. Anything that follows its headers would be a body to one reader and
 * messages to another.
 */
export const upgradeOddity = (request: IncomingMessage): string | undefined => {
  const { headers, httpVersion } = request;
  if (httpVersion !== '1.1') return 'an upgrade needs HTTP/1.1';
  if (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')
    return 'an upgrade has no body';
  return oddity(request);
};

const pathOf = (url: string): string => {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
};

const doubled = (rawHeaders: readonly string[]): string | undefined => {
  let hosts = 0;
  let host = '';
  const decisive = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    if (name === 'host') {
      hosts += 1;
      host = value;
    }
    if (!DECISIVE.has(name)) continue;
    if ((decisive.get(name) ?? value) !== value) return `two ${name} headers that differ`;
    decisive.set(name, value);
  }
  if (hosts !== 1) return 'exactly one Host header is needed';
  return isHost(host) ? undefined : 'the Host header names no host';
};
