import type { OptionValues } from '#contract/options.ts';
import { ANSWER_TOO_LONG, type AppError, type ErrorCode } from '../../error.ts';
import { REASON_MAX_LENGTH } from '../keys/key-state.ts';
import { keyVerdict, reportedStatus, saysTooLarge } from '../keys/key-verdict.ts';

/**
 * Codes that say nothing about a channel: the caller's doing, or one kind of call that the channel does not offer.
 */
const SAYS_NOTHING: ReadonlySet<ErrorCode> = new Set(['client_closed', 'invalid_request', 'not_implemented']);

/** Statuses below 500 that count: the last four mean that such calls are not taken at that address. */
const BLAMED: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429, 405, 407, 410, 426]);

/** Whether a status sends calls elsewhere, which are not followed: the address is wrong, or a login stands before it. */
export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** Whether a failure counts against the channel: not if the caller made a mistake or left. */
export const countsAgainstChannel = (error: AppError): boolean => {
  // The model failed on this one prompt, or the request asked for too long an answer.
  if (error.reason === 'malformed_answer' || error.reason === ANSWER_TOO_LONG) return false;
  if (saysTooLarge(error)) return false;
  const status = error.upstream?.status ?? 0;
  // Some upstreams say with a 400 that the account has no money.
  if (keyVerdict(error) !== undefined) return true;
  if (status !== 0) return BLAMED.has(status) || isRedirect(status) || status >= 500;
  // Our own problems, or the caller's, say nothing about the channel.
  return !SAYS_NOTHING.has(error.code) && !isOwnFault(error);
};

/** OpenAI's error code for a call that no channel should serve. */
export const CONTENT_FILTER = 'content_filter';
/** Error codes of such a call. It is sent to no other channel, because its account would be blamed too. */
const OF_CONTENT: ReadonlySet<string> = new Set([
  CONTENT_FILTER,
  'content_policy_violation',
  'data_inspection_failed',
  'moderation_blocked',
]);
const CALLERS_MISTAKES: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'unprocessable',
]);

/**
 * Whether the upstream refused the call itself, so that it is either the caller's mistake or the channel takes no call at
 * all: its address or the model's name there is wrong.
 */
export const isRefusal = (error: AppError): boolean => {
  const { upstream } = error;
  if (upstream === undefined || saysTooLarge(error)) return false;
  if (countsAgainstChannel(error) && (upstream.status !== 404 || keyVerdict(error) !== undefined))
    return false;
  if ([upstream.code, upstream.type].some((word = '') => OF_CONTENT.has(word.toLowerCase()))) return false;
  return upstream.status === 0
    ? CALLERS_MISTAKES.has(error.code)
    : upstream.status >= 400 && upstream.status < 500;
};

/** Whether the failure is our own: our database or machine was overloaded. */
export const isOwnFault = (error: AppError): boolean =>
  error.code === 'unavailable' && error.upstream === undefined;

const CODES: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'pre_consume_token_quota_failed',
]);
const TYPES: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
]);
const KEYWORDS_MAX = 500;

/** Statuses of refusals that come before the request is read. Other messages may repeat the caller's words. */
const BEFORE_READING: ReadonlySet<number> = new Set([401, 402, 429]);
/** Where quoted or appended words may begin, after labels like `API error:`. */
const LABELS = /^(?:[a-z_ ]{0,30}(?:error|exception): ?){0,3}/;
const QUOTED_FROM = /["`«“‘「『:：]|(?<![a-z])'|'(?![a-z])/;

/**
 * How much of a message, in lower case, is surely the upstream's own words. Upstreams quote what they refuse, and a caller
 * could send a keyword to have channels disabled.
 */
const ownLength = (status: number, message: string): number => {
  if (BEFORE_READING.has(status)) return Infinity;
  const labels = LABELS.exec(message)?.[0].length ?? 0;
  const end = message.slice(labels).search(QUOTED_FROM);
  return end === -1 ? Infinity : labels + end;
};

/**
 * Why a channel must be disabled after this error, or undefined: the upstream sent 401, its error code or type is
 * permanent, or its own words contain one of the operator's keywords.
 */
export const disableReason = (
  error: AppError,
  options: Pick<OptionValues, 'AutomaticDisableChannelEnabled' | 'AutomaticDisableKeywords'>,
): string | undefined => {
  const { upstream } = error;
  if (!options.AutomaticDisableChannelEnabled || upstream === undefined) return undefined;
  const reported = reportedStatus(upstream);
  const message = upstream.message.toLowerCase();
  const isOwn = (keyword: string): boolean => {
    const at = message.indexOf(keyword);
    return at !== -1 && at < ownLength(reported, message);
  };
  const listed =
    reported === 401 ||
    CODES.has(upstream.code ?? '') ||
    TYPES.has(upstream.type ?? '') ||
    keywordsOf(options.AutomaticDisableKeywords).some(isOwn);
  if (!listed) return undefined;
  const status = upstream.status === 0 ? '' : `status ${String(upstream.status)}, `;
  return `${status}${upstream.message}`.slice(0, REASON_MAX_LENGTH);
};

const keywordsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().toLowerCase())
    .filter((line) => line !== '')
    .slice(0, KEYWORDS_MAX);
