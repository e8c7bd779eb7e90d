import { REQUEST_ID_HEADER } from '#contract/limits.ts';

/**
 * The bytes per second of an uncompressed WAV file, from its first 64 bytes; undefined for any other file. Decoders go
 * by the sample format, so a header whose byte rate differs from it is rejected.
 */
export const REQUEST_ID_HEADERS = [REQUEST_ID_HEADER, 'X-Request-Id', 'Request-Id'] as const;
