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

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |\r?$)/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const MAX_HEADERS = 200;
const CR = 0x0d;

/**
 * A header may have any name, so this has no prototype. It is made by a constructor, because then heads with the same
 * headers share a shape, and are read several times faster.
 */
const HeaderMap = function HeaderMap() {} as unknown as new () => ResponseHeaders;
HeaderMap.prototype = Object.create(null);

/** Reads a head without its last line break. Throws `HttpBroken`. */
export const readResponseHead = (text: string): ResponseHead => {
  // Some parsers end a text at a zero byte.
  if (text.includes('\0')) throw new HttpBroken('a header holds a zero');
  const headers = new HeaderMap();
  let status: RegExpExecArray | null = null;
  let lines = 0;
  for (let from = 0; from <= text.length; lines += 1) {
    if (lines === MAX_HEADERS) throw new HttpBroken('too many headers');
    const end = endOfLine(text, from);
    if (lines > 0) addHeader(headers, text, from, end);
    else if ((status = STATUS_LINE.exec(text.slice(0, end))) === null)
      throw new HttpBroken('the status line is not one of HTTP/1');
    from = end + 1;
  }
  const code = Number(status?.[2]);
  const { framing, keepAlive, keepAliveSeconds } = framingOf(headers, code, status?.[1] === '1');
  return { status: code, headers, framing, keepAlive, keepAliveSeconds };
};

/** Where the line ends. A CR elsewhere would end it for some parsers. */
const endOfLine = (text: string, from: number): number => {
  const found = text.indexOf('\n', from);
  const end = found === -1 ? text.length : found;
  const cr = text.indexOf('\r', from);
  if (cr !== -1 && cr < end - 1) throw new HttpBroken('a header holds a line break');
  return end;
};

const addHeader = (headers: ResponseHeaders, text: string, from: number, end: number): void => {
  const colon = text.indexOf(':', from);
  const name = nameOf(text.slice(from, colon < end ? Math.max(colon, from) : from));
  const to = text.charCodeAt(end - 1) === CR ? end - 1 : end;
  const value = text.slice(colon + 1, to).trim();
  const before = headers[name];
  if (name === 'set-cookie') headers[name] = before === undefined ? [value] : [...[before].flat(), value];
  else headers[name] = before === undefined ? value : `${String(before)}, ${value}`;
};

/** Header names as upstreams spell them, with the lower-case form. */
const namesRead = new Map<string, string>();
const [MAX_NAMES_READ, MAX_NAME_READ_LENGTH] = [500, 64];

const nameOf = (spelled: string): string => {
  const known = namesRead.get(spelled);
  if (known !== undefined) return known;
  const name = spelled.toLowerCase();
  // Also refuses folded lines and a space before the colon: both are used for request smuggling.
  if (!NAME.test(name)) throw new HttpBroken('a header has no name');
  if (name.length > MAX_NAME_READ_LENGTH) return name;
  if (namesRead.size >= MAX_NAMES_READ) namesRead.clear();
  // A copy: the slice would keep the whole head in memory.
  const copy = Buffer.from(spelled, 'latin1').toString('latin1');
  namesRead.set(copy, copy.toLowerCase());
  return name;
};

type Framing = Pick<ResponseHead, 'framing' | 'keepAlive' | 'keepAliveSeconds'>;

const framingOf = (headers: ResponseHeaders, status: number, isHttp11: boolean): Framing => {
  const connection = textOf(headers['connection']);
  const stays =
    connection === undefined ? isHttp11 : connection === 'keep-alive' || !/\bclose\b/i.test(connection);
  const kept = textOf(headers['keep-alive']);
  const hint = kept === undefined ? undefined : /\btimeout=(\d{1,5})/i.exec(kept)?.[1];
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

/** Only digits, and few enough that a number holds their value exactly. */
const LENGTH = /^\d{1,15}$/;

const readLength = (text: string): number => {
  if (LENGTH.test(text)) return Number(text);
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const length = Number(first);
  if (!/^\d{1,16}$/.test(first) || !Number.isSafeInteger(length) || others.some((other) => other !== first))
    throw new HttpBroken('the content length is not a number');
  return length;
};

const textOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;
