import { AppError, type UpstreamProblem } from '#core/error.ts';
import { errorExtras } from '../error-extras.ts';
import { saysNoBalance } from '#core/channel/keys/key-verdict.ts';
import { redact } from '../redact.ts';
import { CALLER_MISTAKES, codeOfStatus, isOfAccount } from '../upstream-status.ts';
import {
  accountTrouble,
  couldNotServe,
  limitInside,
  tellable,
  upstreamFailure,
  upstreamRefusal,
} from '../upstream-words.ts';
import { fieldsOf, isGiven, listOf, textOf, type Fields, wordOf } from '#core/json/fields.ts';

/** Error codes about our account rather than the caller's request, with any status. */
const OUR_TROUBLE = new Set([
  'invalid_api_key',
  'invalid_authentication_error',
  'authentication_error',
  'permission_error',
  'permission_denied',
  'insufficient_quota',
  'insufficient_user_quota',
  'insufficient_balance',
  'insufficient_balance_error',
  'insufficient_credits',
  'pre_consume_token_quota_failed',
  'billing_error',
  'exceeded_current_quota_error',
  'billing_not_active',
  'billing_hard_limit_reached',
  // LiteLLM's, whose message tells what the operator has spent.
  'budget_exceeded',
  'account_deactivated',
  'account_disabled',
  'access_terminated',
  'unsupported_country_region_territory',
  'arrearage',
  'api_key_invalid',
  'accountoverdueerror',
  'invalidapikey',
  'deploymentnotfound',
  // Anthropic's, in `details` (its client library, November 2026).
  'organization_on_hold',
  'organization_type_not_supported',
  'claude_code_key_creator_not_member',
  'cmek_key_disabled',
  'cmek_key_network_blocked',
  'contract_spend_limit_reached',
  'enforced_spend_limit_reached',
]);

const KNOWN_IN_ERROR = new Set(['message', 'msg', 'detail', 'type', 'status', 'code', 'param']);

/**
 * Converts an upstream's error. The caller's mistakes, rate limits and overload keep the upstream's message; problems
 * of our account (keys, balance, permissions) become `upstream_failed`, with the message only in `upstream`.
 */
export const readUpstreamError = (status: number, body: unknown, retryAfter?: string): AppError => {
  const upstream = readProblem(status, body);
  if (isOfAccount(status) || isOurs(upstream)) return accountTrouble(upstream, couldNotServe(status));
  return upstreamRefusal(upstream, {
    body,
    retryAfterSeconds: retryAfter === undefined ? undefined : retryAfterSeconds(retryAfter),
    param: upstream.param,
  });
};

/**
 * Some upstreams report an empty account as the caller's mistake, recognizable only by the words. With status 429
 * Google says the same about a limit per minute.
 */
const isOurs = (upstream: UpstreamProblem): boolean =>
  isOneOf(OUR_TROUBLE, upstream) || (upstream.status !== 429 && saysNoBalance(upstream.message));

const isOneOf = (words: ReadonlySet<string>, { code, type }: UpstreamProblem): boolean =>
  [code, type].some((word) => word !== undefined && words.has(word.toLowerCase()));

/** Error codes for too many requests. */
const TOO_OFTEN = new Set([
  'rate_limit_error',
  'rate_limit_exceeded',
  'rate_limit_reached_error',
  'rate_limited',
  'too_many_requests',
  '429',
]);

/** Parts of such codes: `LimitRequests`, `RateLimitExceeded.EndpointRPMExceeded`, `rpm_rate_limit_exceeded`, `Throttling.User`. */
const TOO_OFTEN_WORDS = /rate_?limit|too_?many_?requests|limitrequests|throttling/i;

const isTooOften = (upstream: UpstreamProblem): boolean =>
  isOneOf(TOO_OFTEN, upstream) ||
  [upstream.code, upstream.type].some((word = '') => TOO_OFTEN_WORDS.test(word));

/** Error codes for the caller's mistakes, with any status. */
const CALLERS_WORDS = new Set([
  'invalid_request',
  'invalid_request_error',
  'content_filter',
  'content_policy_violation',
  'context_length_exceeded',
  'data_inspection_failed',
]);

/**
 * The status that an error inside a reply names as its code: 0 for none. Source: openrouter.ai/docs/api-reference/errors,
 * where the code is the status that the answer would have had.
 */
const statusInside = ({ code = '' }: UpstreamProblem): number => (/^[45]\d\d$/.test(code) ? Number(code) : 0);

/** An error inside a stream or a response with status 200: only its codes count. */
export const readErrorInside = (body: unknown): AppError => {
  const upstream = readProblem(0, body);
  const status = statusInside(upstream);
  const ours = isOurs(upstream) || isOfAccount(status);
  const mistake = isOneOf(CALLERS_WORDS, upstream) ? 'invalid_request' : codeOfStatus(status);
  if (CALLER_MISTAKES.has(mistake) && !ours && upstream.message !== '')
    return new AppError(mistake, upstream.message, { upstream });
  if (isTooOften(upstream)) return limitInside(upstream, body);
  const failed = 'the upstream ended the reply with an error';
  return ours
    ? accountTrouble(upstream, failed)
    : upstreamFailure(upstream, tellable(upstream, body, failed));
};

/** Whether a body with status 200 is an error, in any of the shapes that compatible upstreams use. */
export const holdsError = (body: Fields): boolean => {
  const { error, errors } = body;
  if (error !== undefined && error !== null && error !== false && error !== '') return true;
  if (Array.isArray(errors) && errors.length > 0) return true;
  if (body['object'] === 'error' || body['type'] === 'error') return true;
  const { status_code: number } = fieldsOf(body['base_resp']);
  if (typeof number === 'number' && number !== 0) return true;
  const isReply = isGiven(body['choices']) || isGiven(body['data']) || isGiven(body['usage']);
  return !isReply && [...MESSAGES, 'detail'].some((name) => body[name] !== undefined);
};

/** The fields where similar upstreams put an error's message. */
const MESSAGES = ['message', 'msg', 'error_msg', 'errmsg', 'errorMsg'] as const;

const readProblem = (status: number, body: unknown): UpstreamProblem => {
  if (typeof body === 'string') return { status, message: plainText(body) };
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body);
  const base = fieldsOf(outer['base_resp']);
  const first = Array.isArray(outer['errors']) ? outer['errors'][0] : undefined;
  const error = outer['error'] ?? first;
  const inner = typeof error === 'string' ? { message: error } : fieldsOf(error);
  const said =
    inner['message'] ??
    inner['msg'] ??
    MESSAGES.map((name) => outer[name]).find((text) => (text ?? null) !== null) ??
    base['status_msg'] ??
    outer['detail'] ??
    inner['detail'];
  const found = findingsIn(said);
  const message = found.length === 0 ? words(said) : found.map(findingText).join('; ');
  const type = word(
    inner['type'] ?? inner['status'] ?? (outer['type'] === 'error' ? undefined : outer['type']),
  );
  const code = word(
    inner['code'] ??
      fieldsOf(inner['details'])['error_code'] ??
      outer['code'] ??
      outer['error_code'] ??
      wordOfNumber(base['status_code']),
  );
  const param = word(inner['param'] ?? outer['param'] ?? found[0]?.place);
  const extras = errorExtras(inner, KNOWN_IN_ERROR);
  return {
    status,
    message: redact(message),
    ...(extras !== undefined && { extras }),
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  };
};

interface Finding {
  readonly place: string;
  readonly text: string;
}

/** More than anybody reads. */
const MOST_FINDINGS = 10;

/** What FastAPI finds wrong with a body, with the place of each: `{loc: ['body', 'messages', 0], msg}` in a list. */
const findingsIn = (said: unknown): readonly Finding[] =>
  listOf(fieldsOf(said)['detail'] ?? said)
    .slice(0, MOST_FINDINGS)
    .map(fieldsOf)
    .flatMap(({ loc, msg }) => {
      const steps = listOf(loc).filter((step) => step !== 'body');
      return textOf(msg) === undefined ? [] : { place: steps.map(String).join('.'), text: wordOf(msg) };
    });

const findingText = ({ place, text }: Finding): string => (place === '' ? text : `${place}: ${text}`);

/**
 * What MiniMax means by its numbers, which it sends with status 200 (platform.minimaxi.com). They are read from every channel,
 * like all codes here: other hosts of its models send them, too, and a channel to it may be of the type of OpenAI.
 */
const MINIMAX_WORDS: ReadonlyMap<unknown, string> = new Map([
  [1004, 'invalid_api_key'],
  [2049, 'invalid_api_key'],
  [1002, 'rate_limit_exceeded'],
  [1039, 'rate_limit_exceeded'],
  [1041, 'rate_limit_exceeded'],
  [2056, 'rate_limit_exceeded'],
  [1026, 'content_filter'],
  [1027, 'content_filter'],
  [2013, 'invalid_request'],
  [1008, 'billing_not_active'],
]);

const wordOfNumber = (code: unknown): unknown => MINIMAX_WORDS.get(code) ?? code;

/** Seconds of a `Retry-After` in either form; undefined if invalid. */
const retryAfterSeconds = (header: string): number | undefined => {
  const seconds = /^\d{1,6}(?:\.\d+)?$/.test(header.trim()) ? Number(header) : undefined;
  return seconds === undefined ? undefined : Math.min(Math.ceil(seconds), 86_400);
};

const plainText = (body: string): string =>
  /^\s*</.test(body) ? 'the upstream answered with a web page' : redact(body.trim());

const words = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};

const word = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? redact(value).slice(0, 128) : undefined;
};
