import type { IncomingMessage } from 'node:http';
import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';

/** The refusal of a body over the limit. */
export const tooLarge = (): AppError =>
  new AppError('payload_too_large', `the body is larger than ${String(RELAY_BODY_MAX_BYTES)} bytes`);

/** The content coding of a relay call. */
export type Coding = 'gzip' | 'deflate' | 'identity';

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

/**
 * How the body of a call is packed. Throws `unsupported_media_type` for any coding but gzip and deflate, whose decoders need
 * little memory, and `payload_too_large` if the length in the headers is over the limit.
 */
export const codingOf = ({ headers }: Pick<IncomingMessage, 'headers'>): Coding => {
  const { 'content-encoding': said = 'identity', 'content-length': length = '0' } = headers;
  const coding = CODINGS.get(said.toLowerCase());
  if (coding === undefined)
    throw new AppError('unsupported_media_type', 'the body may be plain, gzip or deflate, nothing else');
  if (Number(length) > RELAY_BODY_MAX_BYTES) throw tooLarge();
  return coding;
};
