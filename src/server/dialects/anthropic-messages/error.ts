import { type AppError, type ErrorCode, errorStatus } from '#core/error.ts';
import { readUpstreamError } from '../openai/error.ts';
import { accountTrouble, couldNotServe, saysOverloaded } from '../upstream-words.ts';
import { CALLER_MISTAKES } from '../upstream-status.ts';

/** The error types of this format (platform.claude.com/docs, errors). */
const TYPES: Readonly<Record<ErrorCode, string>> = {
  refused: 'invalid_request_error',
  invalid_request: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  insufficient_quota: 'billing_error',
  not_found: 'not_found_error',
  method_not_allowed: 'invalid_request_error',
  conflict: 'conflict_error',
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

/** Messages with which Anthropic reports an empty or locked account, though its status is 400. */
const OUR_TROUBLE =
  /credit balance is too low|organization has been disabled|usage limits?\b.*regain access/i;

/**
 * Converts an upstream's error: the caller's mistakes keep the upstream's message, our own problems become
 * `upstream_failed`.
 */
export const readError = (status: number, body: unknown, retryAfter?: string): AppError => {
  const error = readUpstreamError(status, body, retryAfter);
  const { upstream } = error;
  if (status !== 400 || upstream === undefined || !OUR_TROUBLE.test(upstream.message)) return error;
  return accountTrouble(upstream, couldNotServe(status));
};

const PAYMENT_REQUIRED = 402;
const OVERLOADED = 529;

/** Tells the official client to send the whole conversation instead of referring to a stored thread. */
const NO_THREADS = { error_code: 'thread_unsupported_request', unsupported: ['thread'] } as const;

const isOfModel = ({ reason }: AppError): boolean => reason === 'model_forbidden';

/**
 * Statuses as Anthropic uses them. Claude Code reports a 401 or 403 as a bad key, so other causes (no balance, no
 * access to the model) get another status. Its Python client has a class for 529; our own restarts stay 503
 * (docs/errors.md).
 */
const statusOf = (error: AppError): number => {
  if (isOfModel(error)) return errorStatus.not_found;
  if (error.code === 'unavailable' && error.upstream !== undefined && saysOverloaded(error.upstream))
    return OVERLOADED;
  return error.code === 'insufficient_quota' ? PAYMENT_REQUIRED : error.status;
};

/** An error in this format, with our request id in the format's own field. */
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

/** The event that ends a stream with an error. */
export const writeStreamError = (error: AppError, requestId: string): Buffer =>
  Buffer.from(`event: error\ndata: ${JSON.stringify(writeError(error, requestId).body)}\n\n`);
