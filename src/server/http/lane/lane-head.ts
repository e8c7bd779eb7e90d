import { type IncomingHttpHeaders, maxHeaderSize } from 'node:http';
import { isHost } from '../door/oddity.ts';

/** The headers of an ordinary call. */
export interface LaneHead {
  /** As in the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly contentLength: number;
  /** The caller asked to close the connection after the answer. */
  readonly closes: boolean;
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
 */
export const readLaneHead = (text: string): LaneHead | undefined => {
  const lines = text.split('\r\n');
  const target = REQUEST_LINE.exec(lines[0] ?? '')?.[1];
  if (target === undefined || lines.length > HEADERS_MAX) return undefined;
  const headers: Record<string, string> = {};
  for (let index = 1; index < lines.length; index += 1) {
    const match = HEADER.exec(lines[index] ?? '');
    const name = match?.[1]?.toLowerCase();
    if (match === null || name === undefined || UNUSUAL.has(name) || headers[name] !== undefined)
      return undefined;
    headers[name] = (match[2] ?? '').trimEnd();
  }
  const { host, connection = 'keep-alive', 'content-length': length = '' } = headers;
  if (host === undefined || !isHost(host) || !CONNECTION.test(connection) || !/^\d{1,7}$/.test(length))
    return undefined;
  if (headers['upgrade'] !== undefined && headers['upgrade'] !== 'h2c') return undefined;
  const contentLength = Number(length);
  if (contentLength > BODY_MAX_BYTES) return undefined;
  return { target, headers, contentLength, closes: /close/i.test(connection) };
};
