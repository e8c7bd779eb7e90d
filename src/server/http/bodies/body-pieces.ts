import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';
import { type Coding, codingOf, tooLarge } from './body-head.ts';

const DECODED_PIECE_BYTES = 64 * 1024;
/** Text and numbers compress to about a tenth; a body that expands more than a hundredfold has no real content. */
const MOST_TIMES_LARGER = 100;
/** Small bodies may have any compression ratio. */
const RATIO_COUNTS_FROM_BYTES = 1024 * 1024;

/**
 * Yields the decoded body as it arrives, no faster than it is read. Throws `payload_too_large`,
 * `unsupported_media_type`, `invalid_request` for a broken coding, `client_closed`. Drops the rest of the body then, so
 * that the caller can receive the error.
 */
export async function* bodyPieces(request: IncomingMessage): AsyncGenerator<Buffer> {
  const coding = codingOf(request);
  const isPacked = coding !== 'identity';
  const source: Readable = isPacked ? decoded(request, coding) : request;
  let packedBytes = 0;
  const count = (piece: Buffer): void => {
    packedBytes += piece.length;
    // The limit also counts compressed bytes, because gzip may consist of empty members.
    if (packedBytes > RELAY_BODY_MAX_BYTES) source.destroy(tooLarge());
  };
  if (isPacked) request.on('data', count);
  let length = 0;
  try {
    for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += piece.length;
      const isTooDense = length > RATIO_COUNTS_FROM_BYTES && length > packedBytes * MOST_TIMES_LARGER;
      if (length > RELAY_BODY_MAX_BYTES || (isPacked && isTooDense)) throw tooLarge();
      yield piece;
    }
  } catch (thrown) {
    throw asAppError(thrown, request, coding);
  } finally {
    request.off('data', count);
    if (source !== request) {
      request.unpipe();
      source.destroy();
    }
    request.resume();
  }
}

const decoded = (request: IncomingMessage, coding: Coding): Readable => {
  const options = { chunkSize: DECODED_PIECE_BYTES };
  const decoder = coding === 'gzip' ? createGunzip(options) : createInflate(options);
  const gone = (): void => void decoder.destroy(new Error('the caller went away'));
  request.once('error', gone);
  request.once('close', () => {
    if (!request.complete) gone();
  });
  if (request.destroyed) gone();
  return request.pipe(decoder);
};

const asAppError = (thrown: unknown, request: IncomingMessage, coding: Coding): unknown => {
  if (thrown instanceof AppError) return thrown;
  if (request.destroyed && !request.complete)
    return new AppError('client_closed', 'the caller went away', { cause: thrown });
  return new AppError('invalid_request', `the body is not valid ${coding}`, { cause: thrown });
};
