import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Smaller answers fit into one packet anyway. */
const LEAST_BYTES = 1024;
/** Compresses a megabyte of rows in about ten milliseconds of another thread, to a tenth of its size. */
const BROTLI_QUALITY = 4;

type Coding = 'br' | 'gzip';

/** The most compact coding that a caller accepts; `q=0` excludes one. */
export const acceptedCoding = (header: string | undefined): Coding | undefined => {
  const taken = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map((each) => each.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || Number(weight.replace(/^q=/, '')) > 0)
      .map(([name]) => name),
  );
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : undefined;
};

const shrunk = (coding: Coding, body: ArrayBuffer): Promise<Buffer> =>
  coding === 'br'
    ? asBrotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
        },
      })
    : asGzip(body);

/**
 * Compresses JSON answers to reads. Files are streamed at their own pace, uncompressed.
 *
 * The length of a compressed answer reveals how much its parts repeat each other. If it contained a secret beside text
 * that an attacker chose, the secret could be guessed letter by letter (BREACH). No such answer is sent: requests from
 * other sites are refused before the answer is made (`same-origin.ts`; the cookie is same-site as well), lists do not
 * repeat the query, and newly made secrets are answers to changes, which are never compressed.
 */
export const compressed: MiddlewareHandler = async (context, next) => {
  await next();
  const { res: answer, req } = context;
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  if (req.method !== 'GET' || !isJson || answer.headers.has('content-encoding')) return;
  const coding = acceptedCoding(req.header('accept-encoding'));
  const headers = new Headers(answer.headers);
  headers.append('Vary', 'Accept-Encoding');
  const body = await answer.arrayBuffer();
  const isWorthIt = coding !== undefined && body.byteLength >= LEAST_BYTES;
  if (isWorthIt) headers.set('Content-Encoding', coding);
  const sent = isWorthIt ? await shrunk(coding, body) : body;
  // Hono merges the headers of the replaced answer into the new one, which already has them.
  context.res = undefined;
  context.res = new Response(sent, { status: answer.status, headers });
};
