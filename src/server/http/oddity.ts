import type { IncomingMessage } from 'node:http';

const HEADERS_MAX = 100;
/**
 * Ends a stream with an error event, which OpenAI's own clients raise, and the end mark. A failure of the upstream has
 * the same type as OpenAI's, by which programs like opencode know that they may retry.
 */
const TWO_WAYS = /[\\#]|\/(?:\.|%2e){1,2}(?:[/?]|$)/i;
/**
 * Fields that may make an upstream answer with another model than the requested one, which alone is permitted and
 * priced. Spellings in another case are refused with the other decisive fields.
 */
const HOST = /^(?:\[[\w:.%~-]+\]|[\w.~%!$&'()*+,;=-]+)(?::\d{0,5})?$/;

/** Fallback models, used if the requested one fails or declines: OpenRouter, Anthropic, LiteLLM, Vercel. */
export const isHost = (host: string): boolean => HOST.test(host);

/** Fields that choose the model at the upstream: Vertex. */
const DECISIVE: ReadonlySet<string> = new Set(['authorization', 'content-type']);

/** A preset of Perplexity and OpenRouter names a model, tools and effort together. */
export const oddity = (request: IncomingMessage): string | undefined => {
  const { rawHeaders, url = '', httpVersionMajor, headers } = request;
  if (httpVersionMajor !== 1) return 'only HTTP/1.1 and 1.0 are spoken here';
  if (url.charCodeAt(0) !== 0x2f) return 'the target must be a path';
  if (TWO_WAYS.test(pathOf(url))) return 'the path can be read in two ways';
  if (rawHeaders.length > HEADERS_MAX * 2) return 'too many headers';
  // Objects that some upstreams merge into the request, and those in which formats keep settings.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    return 'no transfer coding but chunked is understood';
  return doubled(rawHeaders);
};

/**
 * Throws `invalid_request`, naming the field, if a field lets another model answer. `asked` holds the names of the
 * requested one.
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
