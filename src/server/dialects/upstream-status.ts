import type { ErrorCode } from '#core/error.ts';

/** Our error code for an upstream status, in every format (docs/errors.md); all others are `upstream_failed`. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  408: 'upstream_timeout',
  409: 'conflict',
  413: 'payload_too_large',
  414: 'invalid_request',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  429: 'rate_limited',
  431: 'invalid_request',
  451: 'invalid_request',
  501: 'not_implemented',
  503: 'unavailable',
  504: 'upstream_timeout',
  524: 'upstream_timeout',
  529: 'unavailable',
};

/** Statuses for problems with the operator's account or key, whatever the message. */
const OF_ACCOUNT: ReadonlySet<number> = new Set([401, 402, 403]);

/** The caller's mistakes: only for these does the caller get the upstream's own message. */
export const CALLER_MISTAKES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_request',
  'not_found',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'unprocessable',
]);

/** Our error code for a status of an upstream. */
export const codeOfStatus = (status: number): ErrorCode => CODES[status] ?? 'upstream_failed';

/** Whether a status is about the operator's account or key. */
export const isOfAccount = (status: number): boolean => OF_ACCOUNT.has(status);
