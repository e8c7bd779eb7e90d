import { type AppError, type ErrorCode, errorStatus } from '#core/error.ts';
import { readUpstreamError } from '../openai/error.ts';
import { accountTrouble } from '../upstream-words.ts';
import { CALLER_MISTAKES } from '../openai/write-error.ts';

/** The words of this format for our errors (platform.claude.com/docs, errors). */
const TYPES: Readonly<Record<ErrorCode, string>> = {
  refused: 'invalid_request_error',
  invalid_request: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  insufficient_quota: 'billing_error',
  not_found: 'not_found_error',
  method_not_allowed: 'invalid_request_error',
  conflict: 'invalid_request_error',
  payload_too_large: 'request_too_large',
  unsupported_media_type: 'invalid_request_error',
  unprocessable: 'invalid_request_error',
  rate_limited: 'rate_limit_error',
  client_closed: 'api_error',
  internal: 'api_error',
  not_implemented: 'invalid_request_error',
  upstream_failed: 'api_error',
  no_channel: 'api_error',
  unavailable: 'overloaded_error',
  upstream_timeout: 'timeout_error',
};

/** Anthropic says with status 400, as if the caller were at fault, that our account is empty or locked. */
const OUR_TROUBLE =
  /credit balance is too low|organization has been disabled|usage limits?\b.*regain access/i;

/** An upstream's failure as ours: the caller's own mistakes in the upstream's words, trouble of ours as `upstream_failed`. */
export const readError = (status: number, body: unknown, retryAfter?: string): AppError => {
  const error = readUpstreamError(status, body, retryAfter);
  const { upstream } = error;
  if (status !== 400 || upstream === undefined || !OUR_TROUBLE.test(upstream.message)) return error;
  return accountTrouble(upstream, `the upstream could not serve the request (status ${status})`);
};

const PAYMENT_REQUIRED = 402;

/** Told so, the official client sends the whole conversation instead of a thread that the upstream keeps. */
const NO_THREADS = { error_code: 'thread_unsupported_request', unsupported: ['thread'] } as const;

const isOfModel = ({ reason }: AppError): boolean => reason === 'model_forbidden';

/**
 * As Anthropic itself has it. Claude Code takes a 401 and a 403 for a key that is not good, and says so, where the balance
 * is used up or only this model is closed (docs/errors.md).
 */
const statusOf = (error: AppError): number => {
  if (isOfModel(error)) return errorStatus.not_found;
  return error.code === 'insufficient_quota' ? PAYMENT_REQUIRED : error.status;
};

/** An error in the shape of this format, with our request id where the format has its own place for one. */
export const writeError = (
  error: AppError,
  requestId: string,
): { readonly status: number; readonly body: unknown } => ({
  status: statusOf(error),
  body: {
    type: 'error',
    error: {
      ...(CALLER_MISTAKES.has(error.code) && error.upstream?.extras),
      type: isOfModel(error) ? TYPES.not_found : TYPES[error.code],
      message: error.message,
      ...(error.param === 'thread' && { details: NO_THREADS }),
    },
    ...(requestId !== '' && { request_id: requestId }),
  },
});

/** Ends a stream that had begun: nothing follows this event. */
export const writeStreamError = (error: AppError, requestId: string): Buffer =>
  Buffer.from(`event: error\ndata: ${JSON.stringify(writeError(error, requestId).body)}\n\n`);
