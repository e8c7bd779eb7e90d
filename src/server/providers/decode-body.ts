import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { AppError } from '#core/error.ts';
import type { OutboundBody } from '#core/outbound.ts';
import { drained } from './drained.ts';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * Unpacks a body whose upstream compressed it though it was asked not to. Stops with `upstream_failed` when it becomes
 * larger than `maxBytes`, is broken, or has a coding (or a chain of them) that is not known.
 */
export const decodeBody = (body: OutboundBody, encoding: string, maxBytes: number): OutboundBody => {
  const create = DECODERS[encoding.trim().toLowerCase()];
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
        throw new AppError('upstream_failed', 'the upstream compressed more than is allowed');
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

// Nothing is ever yielded: the first read throws.
// eslint-disable-next-line require-yield
async function* refuse(body: OutboundBody): AsyncGenerator<Buffer> {
  body.discard();
  throw new AppError('upstream_failed', 'the upstream used a compression that is not known');
}
