import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';
import { codingOf, tooLarge } from './body-head.ts';

const DECODED_PIECE_BYTES = 64 * 1024;
/** Texts and numbers become a tenth of themselves; a body that becomes a thousandth says nothing. */
const MOST_TIMES_LARGER = 100;
/** A small body may be as repetitive as it likes. */
const RATIO_COUNTS_FROM_BYTES = 1024 * 1024;

/**
 * The body of a request as it comes, decoded, and no faster than it is taken. Throws `payload_too_large`,
 * `unsupported_media_type`, `invalid_request` for broken gzip, `client_closed`. What still comes after that is dropped,
 * so that the caller can be told.
 */
export async function* bodyPieces(request: IncomingMessage): AsyncGenerator<Buffer> {
  const isPacked = codingOf(request) === 'gzip';
  const source: Readable = isPacked ? decoded(request) : request;
  let packedBytes = 0;
  const count = (piece: Buffer): void => {
    packedBytes += piece.length;
    // Nothing may ever come of it: gzip may be made of parts that are empty.
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
    throw asAppError(thrown, request);
  } finally {
    request.off('data', count);
    if (source !== request) {
      request.unpipe();
      source.destroy();
    }
    request.resume();
  }
}

const decoded = (request: IncomingMessage): Readable => {
  const gunzip = createGunzip({ chunkSize: DECODED_PIECE_BYTES });
  const gone = (): void => void gunzip.destroy(new Error('the caller went away'));
  request.once('error', gone);
  request.once('close', () => {
    if (!request.complete) gone();
  });
  if (request.destroyed) gone();
  return request.pipe(gunzip);
};

const asAppError = (thrown: unknown, request: IncomingMessage): unknown => {
  if (thrown instanceof AppError) return thrown;
  if (request.destroyed && !request.complete)
    return new AppError('client_closed', 'the caller went away', { cause: thrown });
  return new AppError('invalid_request', 'the body is not valid gzip', { cause: thrown });
};
