import { AppError } from '#core/error.ts';
import type { OutboundRequest } from '#core/outbound/outbound.ts';

/** Characters not allowed in a name or a value: they could start another line or another request. */
const NOT_A_NAME = /[^!#$%&'*+\-.^_`|~0-9a-zA-Z]/;
const NOT_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
/** Headers that only this connection sets; a channel cannot override them. */
const OURS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'accept-encoding',
  'expect',
  'upgrade',
]);

/** The last head for each address, without its length: most calls to it send the same. */
interface Written {
  readonly method: string;
  readonly headers: OutboundRequest['headers'];
  readonly text: string;
}

const written = new WeakMap<URL, Written>();

/** Writes the head of a request (RFC 9112, 3). Throws `upstream_failed` for a header that cannot be sent. */
export const requestHead = ({ method, headers, body }: OutboundRequest, url: URL): string => {
  let last = written.get(url);
  if (last === undefined || last.method !== method || !areSame(last.headers, headers))
    written.set(url, (last = { method, headers, text: headText(method, headers, url) }));
  return body === undefined && method === 'GET'
    ? `${last.text}\r\n`
    : `${last.text}content-length: ${lengthOf(body)}\r\n\r\n`;
};

const areSame = (left: OutboundRequest['headers'], right: OutboundRequest['headers']): boolean => {
  let names = 0;
  for (const name in left) {
    if (left[name] !== right[name]) return false;
    names += 1;
  }
  for (const _ in right) names -= 1;
  return names === 0;
};

const headText = (method: string, headers: OutboundRequest['headers'], url: URL): string => {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\naccept-encoding: identity\r\n`;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || OURS.has(name)) continue;
    if (NOT_A_NAME.test(name) || NOT_A_VALUE.test(value))
      throw new AppError('upstream_failed', `the header ${name} of the channel cannot be sent`);
    head += `${name}: ${value}\r\n`;
  }
  return head;
};

const lengthOf = (body: OutboundRequest['body']): number => {
  if (body === undefined) return 0;
  return typeof body === 'object' && !Buffer.isBuffer(body) ? body.length : Buffer.byteLength(body);
};
