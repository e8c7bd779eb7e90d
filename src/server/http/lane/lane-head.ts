import { type IncomingHttpHeaders, maxHeaderSize } from 'node:http';
import { isHost } from '../door/oddity.ts';

/** The headers of an ordinary call. */
export interface LaneHead {
  readonly text: string;
  /** As in the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly contentLength: number;
  /** The caller asked to close the connection after the answer. */
  readonly closes: boolean;
  /** Its lines after the first, and the names of their headers. */
  readonly lines: readonly string[];
  readonly names: readonly string[];
}

const REQUEST_LINE = /^POST (\/[\x21-\x7e]{0,2000}) HTTP\/1\.1$/;
const HEADER = /^([A-Za-z0-9-]{1,64}):[ \t]*((?:[\x21-\x7e][\x20-\x7e]*)?)$/;
const HEADERS_MAX = 50;
/** Node's own limit, so that both readers accept the same headers. */
export const HEAD_MAX_BYTES = maxHeaderSize;
/** Java's client offers HTTP/2 with its calls, which may be ignored. */
const CONNECTION =
  /^(?:keep-alive|close|upgrade|http2-settings)(?:, ?(?:keep-alive|close|upgrade|http2-settings))*$/i;
/** Headers that change how a request is read, or need an interim response: left to node's server. */
const UNUSUAL = new Set([
  'transfer-encoding',
  'content-encoding',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
]);
/** Larger bodies are left to node's server, which counts them as they arrive. */
const BODY_MAX_BYTES = 1024 * 1024;

/**
 * Parses headers (without the empty line) of an ordinary request: a POST over HTTP/1.1, one Host, one plain length, no
 * header twice, ASCII only. Undefined for anything else, valid or not: node's server decides.
 * @param before the head before it on its connection, which mostly has the same lines but for the length
 */
export const readLaneHead = (text: string, before?: LaneHead): LaneHead | undefined => {
  const [first = '', ...lines] = text.split('\r\n');
  const target = REQUEST_LINE.exec(first)?.[1];
  if (target === undefined || lines.length >= HEADERS_MAX) return undefined;
  const read = readLike(before, lines) ?? readLines(lines);
  if (read === undefined) return undefined;
  const { headers, names } = read;
  const { host, connection = 'keep-alive', 'content-length': length = '' } = headers;
  if (host === undefined || !isHost(host) || !CONNECTION.test(connection) || !/^\d{1,7}$/.test(length))
    return undefined;
  if (headers['upgrade'] !== undefined && headers['upgrade'] !== 'h2c') return undefined;
  const contentLength = Number(length);
  if (contentLength > BODY_MAX_BYTES) return undefined;
  return { text, target, headers, contentLength, closes: /close/i.test(connection), lines, names };
};

type Read = Pick<LaneHead, 'names'> & { readonly headers: Readonly<Record<string, string>> };

const readLines = (lines: readonly string[]): Read | undefined => {
  const headers: Record<string, string> = {};
  const names: string[] = [];
  for (const line of lines) {
    const [name, value] = headerIn(line) ?? [];
    if (name === undefined || value === undefined || headers[name] !== undefined) return undefined;
    headers[name] = value;
    names.push(name);
  }
  return { headers, names };
};

/** The same with the values that differ: four times faster. Undefined if it has other headers or another order. */
const readLike = (before: LaneHead | undefined, lines: readonly string[]): Read | undefined => {
  if (before?.lines.length !== lines.length) return undefined;
  const { names } = before;
  const headers = { ...(before.headers as Read['headers']) };
  for (let place = 0; place < lines.length; place += 1) {
    const line = lines[place] ?? '';
    if (line === before.lines[place]) continue;
    const [name, value = ''] = headerIn(line) ?? [];
    if (name === undefined || name !== names[place]) return undefined;
    headers[name] = value;
  }
  return { headers, names };
};

const headerIn = (line: string): readonly [string, string] | undefined => {
  const match = HEADER.exec(line);
  const name = match?.[1]?.toLowerCase();
  return match === null || name === undefined || UNUSUAL.has(name)
    ? undefined
    : [name, (match[2] ?? '').trimEnd()];
};
