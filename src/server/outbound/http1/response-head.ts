import { HttpBroken } from './http-broken.ts';

/** Lower-case names. Repeated headers are joined, cookies are a list. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;

export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** How the body ends: after this many bytes, with its last chunk, or with the connection (RFC 9112, 6.3). */
  readonly framing: number | 'chunked' | 'until-close';
  /** The connection may be reused after this response. */
  readonly keepAlive: boolean;
  /** The upstream's keep-alive time, if it names one. */
  readonly keepAliveSeconds: number | undefined;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const MAX_HEADERS = 200;
/** A bare CR, which some parsers take for a line end, and NUL, which ends a text for others. */
const SPLITS = /\0|\r(?!\n|$)/;

/** Reads a head without its last line break. Throws `HttpBroken`. */
export const readResponseHead = (text: string): ResponseHead => {
  if (SPLITS.test(text)) throw new HttpBroken('a header holds a line break or a zero');
  const lines = text.split('\n');
  const status = STATUS_LINE.exec(lines[0] ?? '');
  if (status === null) throw new HttpBroken('the status line is not one of HTTP/1');
  if (lines.length > MAX_HEADERS) throw new HttpBroken('too many headers');
  const headers: ResponseHeaders = Object.create(null) as ResponseHeaders;
  for (let index = 1; index < lines.length; index += 1) addHeader(headers, lines[index] ?? '');
  return { status: Number(status[2]), headers, ...framingOf(headers, Number(status[2]), status[1] === '1') };
};

const addHeader = (headers: ResponseHeaders, line: string): void => {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
  // Also refuses folded lines and a space before the colon: both are used for request smuggling.
  if (!NAME.test(name)) throw new HttpBroken('a header has no name');
  const value = line.slice(colon + 1).trim();
  const before = headers[name];
  if (name === 'set-cookie') headers[name] = before === undefined ? [value] : [...[before].flat(), value];
  else headers[name] = before === undefined ? value : `${String(before)}, ${value}`;
};

type Framing = Pick<ResponseHead, 'framing' | 'keepAlive' | 'keepAliveSeconds'>;

const framingOf = (headers: ResponseHeaders, status: number, isHttp11: boolean): Framing => {
  const connection = textOf(headers['connection']);
  const stays = connection === undefined ? isHttp11 : !/\bclose\b/i.test(connection);
  const hint = /\btimeout=(\d{1,5})/i.exec(textOf(headers['keep-alive']) ?? '')?.[1];
  const keepAliveSeconds = hint === undefined ? undefined : Number(hint);
  if (status < 200 || status === 204 || status === 304)
    return { framing: 0, keepAlive: stays, keepAliveSeconds };
  const coding = textOf(headers['transfer-encoding']);
  const length = textOf(headers['content-length']);
  if (coding !== undefined) {
    const isChunked = /^chunked$/i.test(coding);
    if (!isChunked && !/^identity$/i.test(coding)) throw new HttpBroken('an unknown transfer encoding');
    const framing = isChunked ? 'chunked' : 'until-close';
    // With both headers, parsers differ on where the message ends, so the connection is not reused.
    return { framing, keepAlive: stays && isChunked && length === undefined, keepAliveSeconds };
  }
  if (length === undefined) return { framing: 'until-close', keepAlive: false, keepAliveSeconds };
  return { framing: readLength(length), keepAlive: stays, keepAliveSeconds };
};

const readLength = (text: string): number => {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const length = Number(first);
  if (!/^\d{1,16}$/.test(first) || !Number.isSafeInteger(length) || others.some((other) => other !== first))
    throw new HttpBroken('the content length is not a number');
  return length;
};

const textOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;
