import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { AppError } from '#core/error.ts';
import type { OutboundBody } from '#core/outbound/outbound.ts';
import { AnyInflate } from './any-inflate.ts';
import { drained } from './drained.ts';

/** 8 MiB, the most a body may ask for over HTTP (RFC 9659). */
const ZSTD_WINDOW_LOG_MAX = 23;

/** A map instead of an object, because an upstream may name the coding `constructor`. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', () => new AnyInflate()],
  ['br', createBrotliDecompress],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } })],
]);

/** More codings than this are an attack: nobody needs to compress a body three times. */
const MOST_CODINGS = 3;
/** Names that some servers use for an unencoded body. */
const PLAIN: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);

/** The codings that a `Content-Encoding` names, in the order in which they were applied; none if the body is plain. */
export const codingsIn = (header: string): readonly string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !PLAIN.has(coding));

/**
 * Decompresses a body that the upstream compressed against our request. Ends with `upstream_failed` when the result of a
 * step exceeds `maxBytes`, the data is broken, or a coding is unknown.
 */
export const decodeBody = (
  body: OutboundBody,
  codings: readonly string[],
  maxBytes: number,
): OutboundBody => {
  const decoders = codings.map((coding) => DECODERS.get(coding));
  const isKnown = decoders.length <= MOST_CODINGS && !decoders.includes(undefined);
  const decoded = isKnown
    ? decoders.reduceRight<OutboundBody>((packed, create) => unpacked(packed, create, maxBytes), body)
    : unpacked(body, undefined, maxBytes);
  return { [Symbol.asyncIterator]: () => decoded[Symbol.asyncIterator](), discard: () => body.discard() };
};

const unpacked = (
  body: OutboundBody,
  create: (() => Transform) | undefined,
  maxBytes: number,
): OutboundBody => {
  const decoded = create === undefined ? refuse(body) : unpack(body, create(), maxBytes);
  return { [Symbol.asyncIterator]: () => decoded, discard: () => body.discard() };
};

async function* unpack(body: OutboundBody, decoder: Transform, maxBytes: number): AsyncGenerator<Buffer> {
  let total = 0;
  void pump(body, decoder);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > maxBytes)
        throw new AppError('upstream_failed', 'the upstream sent a compressed answer that is too large');
      yield chunk;
    }
  } catch (thrown) {
    throw thrown instanceof AppError
      ? thrown
      : new AppError('upstream_failed', 'the upstream sent a broken compressed answer', { cause: thrown });
  } finally {
    decoder.destroy();
    body.discard();
  }
}

const pump = async (body: OutboundBody, decoder: Transform): Promise<void> => {
  try {
    for await (const chunk of body) {
      if (decoder.destroyed) return;
      if (!decoder.write(chunk)) await drained(decoder);
    }
    decoder.end();
  } catch (thrown) {
    decoder.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)));
  }
};

// It yields nothing: the first read throws.
// eslint-disable-next-line require-yield
async function* refuse(body: OutboundBody): AsyncGenerator<Buffer> {
  body.discard();
  throw new AppError('upstream_failed', 'the upstream used an unknown compression');
}
