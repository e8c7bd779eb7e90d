import type { AppError, ErrorCode } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import { CALLER_MISTAKES } from '../upstream-status.ts';

const UPSTREAM = 'upstream_error';

const TYPES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  insufficient_quota: 'insufficient_quota',
  rate_limited: 'rate_limit_error',
  internal: 'server_error',
  no_channel: 'server_error',
  unavailable: 'server_error',
  upstream_failed: UPSTREAM,
  upstream_timeout: UPSTREAM,
};

/**
 * Writes an error in the OpenAI format. Only the caller's mistakes keep the upstream's type and code; the rest is for
 * the operator.
 */
export const writeError = (error: AppError, requestId: string) => {
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

/** An error as an event of a stream. A failure of the upstream has the type of OpenAI's own, by which programs like opencode retry. */
export const streamError = (error: AppError, requestId: string): Fields => {
  const { body } = writeError(error, requestId);
  const { error: written } = body;
  return written.type === UPSTREAM ? { error: { ...written, type: 'server_error' } } : body;
};

/** Ends a stream with an error event, which OpenAI's own clients raise, and the end mark. */
export const writeStreamError = (error: AppError, requestId: string): Buffer =>
  Buffer.from(`data: ${JSON.stringify(streamError(error, requestId))}\n\ndata: [DONE]\n\n`);
