import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Below this the answer fits into one packet anyway. */
const LEAST_BYTES = 1024;
/** A megabyte of rows in about ten milliseconds of another thread, a tenth of its size. */
const BROTLI_QUALITY = 4;

type Coding = 'br' | 'gzip';

/** The coding a caller takes that is smallest; one named with `q=0` is refused. */
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
 * Sends JSON that somebody reads compressed. Files go out as a stream and keep their own pace.
 *
 * The length of a compressed answer tells how alike its parts are, so a secret beside what an attacker chose could be
 * guessed letter by letter (BREACH). Nothing of the kind is sent: whoever reads for others' pages is refused before
 * the answer is made (`same-origin.ts`, and the cookie is of this site only), lists do not repeat what was asked for,
 * and secrets that were just made are answers to changes, which are never compressed.
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
  // Hono adds the headers of the answer that is replaced: they are all in these.
  context.res = undefined;
  context.res = new Response(sent, { status: answer.status, headers });
};
