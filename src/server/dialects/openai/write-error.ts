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

/** The caller's mistakes: only for these does the caller get the upstream's own message. */
export const CALLER_MISTAKES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_request',
  'not_found',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'unprocessable',
]);

/**
 * Writes an error in the OpenAI format. Only the caller's mistakes keep the upstream's type and code; the rest is for
 * the operator.
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

/** A code of this format or a similar one; Google's codes are statuses and numbers. */
const wordOf = (word: string | undefined): string | undefined =>
  word === undefined || /^(?:[A-Z_]+|\d+)$/.test(word) ? undefined : word;

/** Ends a stream with an error event, which OpenAI's own clients raise, and the end mark. */
export const writeStreamError = (error: AppError, requestId: string): Buffer =>
  Buffer.from(`data: ${JSON.stringify(writeError(error, requestId).body)}\n\ndata: [DONE]\n\n`);
