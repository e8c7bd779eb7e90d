import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { AppError } from '#core/error.ts';
import type { OutboundBody } from '#core/outbound/outbound.ts';
import { drained } from './drained.ts';

/** 8 MiB, the most a body may ask for over HTTP (RFC 9659). */
const ZSTD_WINDOW_LOG_MAX = 23;

/** No plain object: an upstream may say that its answer is packed as `constructor`. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } })],
]);

/**
 * Decompresses a body that the upstream compressed against our request. Ends with `upstream_failed` when the result exceeds
 * `maxBytes`, the data is broken, or the encoding is unknown or a chain of several.
 */
export const decodeBody = (body: OutboundBody, encoding: string, maxBytes: number): OutboundBody => {
  const create = DECODERS.get(encoding.trim().toLowerCase());
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
