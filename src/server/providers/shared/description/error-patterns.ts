import { reportedStatus } from '#core/channel/keys/key-verdict.ts';
import { AppError, type UpstreamProblem } from '#core/error.ts';
import type { Egress, Wire } from '../../../dialects/dialect.ts';
import { anthropicMessages } from '../../../dialects/anthropic-messages/anthropic-messages.ts';
import { gemini } from '../../../dialects/gemini/gemini.ts';
import { readUpstreamError } from '../../../dialects/openai/error.ts';
import { accountTrouble } from '../../../dialects/upstream-words.ts';
import { ownOf } from '#core/json/fields.ts';
import type { Upstream } from '../../../dialects/upstream.ts';

/**
 * Patterns for a provider's own error codes: which errors are about the key, the balance, or the rate limit. Each is
 * matched against `[status][type][code] message`.
 */
export interface ErrorPatterns {
  readonly key?: RegExp;
  readonly billing?: RegExp;
  /** A rate limit whose status is not 429. */
  readonly rateLimit?: RegExp;
  /** A mistake in the request (too long, filtered) whose status says otherwise. */
  readonly request?: RegExp;
}

/** For providers that use the status 402. */
export const PAYMENT_REQUIRED: ErrorPatterns = { billing: /^\[402\]/ };

/** Bad keys and disabled projects, in all of Google's services (cloud.google.com/apis/design/errors). */
export const GOOGLE_KEY =
  /\[API_KEY_INVALID\]|\[CONSUMER_(?:SUSPENDED|INVALID)\]|\[(?:SERVICE|BILLING)_DISABLED\]/;

/** The common code for an upstream's error; undefined where no pattern matches. */
export const matchError = (
  { key, billing, rateLimit, request }: ErrorPatterns,
  upstream: UpstreamProblem,
): 'invalid_api_key' | 'billing_not_active' | 'rate_limit_exceeded' | 'invalid_request' | undefined => {
  const { type = '', code = '', message } = upstream;
  const summary = `[${reportedStatus(upstream)}][${type}][${code}] ${message}`;
  if (key?.test(summary) === true) return 'invalid_api_key';
  if (billing?.test(summary) === true) return 'billing_not_active';
  if (rateLimit?.test(summary) === true) return 'rate_limit_exceeded';
  return request?.test(summary) === true ? 'invalid_request' : undefined;
};

/** How errors are read in the formats that do not write them like OpenAI. */
const READERS: Readonly<Record<string, Wire['readError']>> = {
  [gemini.name]: gemini.readError,
  [anthropicMessages.name]: anthropicMessages.readError,
};

/** Reads an error, and turns one that a pattern matches into the code that routing and operators know. */
export const readErrorWith = (known: ErrorPatterns, dialect: Egress): NonNullable<Upstream['readError']> => {
  // Google's services write errors in one way, whatever format they are asked in.
  const own = dialect.name === gemini.name ? gemini.readError : undefined;
  return (status, body, retryAfter, format = dialect.name) => {
    const read = own ?? ownOf(READERS, format) ?? readUpstreamError;
    const error = read(status, body, retryAfter);
    // Whatever its status, a rate limit is read like a 429.
    return matched(known, error, () => read(429, body, retryAfter).retryAfterSeconds);
  };
};

/** The same for an error inside a reply with status 200, in its body or as an event. */
export const matchInside =
  (known: ErrorPatterns) =>
  (error: AppError): AppError =>
    error.upstream?.status === 0 ? matched(known, error, () => error.retryAfterSeconds) : error;

const matched = (
  known: ErrorPatterns,
  error: AppError,
  retryAfterSecondsOf: () => number | undefined,
): AppError => {
  const { upstream } = error;
  const code = upstream === undefined ? undefined : matchError(known, upstream);
  if (upstream === undefined || code === undefined) return error;
  if (code === 'invalid_request') return new AppError('invalid_request', upstream.message, { upstream });
  if (code === 'rate_limit_exceeded') {
    const retryAfterSeconds = retryAfterSecondsOf();
    return new AppError('rate_limited', 'the upstream is over its rate limit, try again later', {
      upstream,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  const status = reportedStatus(upstream);
  const failed =
    status === 0
      ? 'the upstream ended the reply with an error'
      : `the upstream could not serve the request (status ${status})`;
  return accountTrouble({ ...upstream, code }, failed);
};
