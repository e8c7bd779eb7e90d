import { type IncomingHttpHeaders, maxHeaderSize } from 'node:http';

/** The head of a call that is as nearly every call is. */
export interface LaneHead {
  /** As it stands in the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly contentLength: number;
  /** The caller wants the connection closed after the answer. */
  readonly closes: boolean;
}

const REQUEST_LINE = /^POST (\/[\x21-\x7e]{0,2000}) HTTP\/1\.1$/;
const HEADER = /^([A-Za-z0-9-]{1,64}):[ \t]*([\x20-\x7e]*)$/;
const HEADERS_MAX = 50;
/** What node's server takes at most, so that a head is too large or not whoever reads it. */
export const HEAD_MAX_BYTES = maxHeaderSize;
/** Java's client offers HTTP/2 with its calls, which nobody has to take up. */
const CONNECTION =
  /^(?:keep-alive|close|upgrade|http2-settings)(?:, ?(?:keep-alive|close|upgrade|http2-settings))*$/i;
/** What changes how a request is read, or what comes before it: that is for node's own server. */
const UNUSUAL = new Set([
  'transfer-encoding',
  'content-encoding',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
]);
/** Larger bodies are read by node's server, which counts them as they come. */
const BODY_MAX_BYTES = 1024 * 1024;

/**
 * Reads a head (its empty line left off) if there is nothing unusual about it: a POST over HTTP/1.1, one Host, one plain
 * length, no header twice, nothing outside ASCII. Undefined for anything else, right or wrong: node's server decides.
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
  if (host === undefined || host === '' || !CONNECTION.test(connection) || !/^\d{1,7}$/.test(length))
    return undefined;
  if (headers['upgrade'] !== undefined && headers['upgrade'] !== 'h2c') return undefined;
  const contentLength = Number(length);
  if (contentLength > BODY_MAX_BYTES) return undefined;
  return { target, headers, contentLength, closes: /close/i.test(connection) };
};
