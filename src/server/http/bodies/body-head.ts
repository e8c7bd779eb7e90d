import type { IncomingMessage } from 'node:http';
import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';

/** The refusal of a body over the limit. */
export const tooLarge = (): AppError =>
  new AppError('payload_too_large', `the body is larger than ${String(RELAY_BODY_MAX_BYTES)} bytes`);

/**
 * The content coding of a relay call. Throws `unsupported_media_type` for any coding but gzip, and `payload_too_large`
 * if the length in the headers is over the limit.
 */
export const codingOf = ({ headers }: IncomingMessage): 'gzip' | 'identity' => {
  const { 'content-encoding': said = 'identity', 'content-length': length = '0' } = headers;
  const coding = said.toLowerCase().replace(/^x-gzip$/, 'gzip');
  if (coding !== 'gzip' && coding !== 'identity')
    throw new AppError('unsupported_media_type', 'the body may be plain or gzip, nothing else');
  if (Number(length) > RELAY_BODY_MAX_BYTES) throw tooLarge();
  return coding;
};
