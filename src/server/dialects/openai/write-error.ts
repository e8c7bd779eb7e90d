import type { AppError, ErrorCode } from '#core/error.ts';

const TYPES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  insufficient_quota: 'insufficient_quota',
  rate_limited: 'rate_limit_error',
  internal: 'server_error',
  no_channel: 'server_error',
  unavailable: 'server_error',
  upstream_failed: 'upstream_error',
  upstream_timeout: 'upstream_error',
};

/** What callers did wrong themselves: only they are told an upstream's own words for it. */
export const CALLER_MISTAKES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_request',
  'not_found',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'unprocessable',
]);

/**
 * An error in the OpenAI shape. Of what an upstream said, only the caller's own mistakes keep type and code; the rest
 * is between the operator and the upstream.
 */
export const writeError = (
  error: AppError,
  requestId: string,
): { readonly status: number; readonly body: unknown } => {
  const upstream = CALLER_MISTAKES.has(error.code) ? error.upstream : undefined;
  return {
    status: error.status,
    body: {
      error: {
        ...upstream?.extras,
        message: requestId === '' ? error.message : `${error.message} (request id: ${requestId})`,
        type: wordOf(upstream?.type) ?? TYPES[error.code] ?? 'invalid_request_error',
        param: error.param ?? null,
        code: wordOf(upstream?.code) ?? error.reason ?? error.code,
      },
    },
  };
};

/** A word of this format or of one like it; Google's are statuses and numbers. */
const wordOf = (word: string | undefined): string | undefined =>
  word === undefined || /^(?:[A-Z_]+|\d+)$/.test(word) ? undefined : word;

/** Ends a stream that had begun: the error as an event, which OpenAI's own clients raise, and the end mark. */
export const writeStreamError = (error: AppError, requestId: string): Buffer =>
  Buffer.from(`data: ${JSON.stringify(writeError(error, requestId).body)}\n\ndata: [DONE]\n\n`);
