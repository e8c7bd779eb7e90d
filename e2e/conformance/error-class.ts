import type { DialectName } from '../../src/server/core/chat/request.ts';
import { parsed } from '../../src/contract/json-text.ts';
import { framesOf } from '../support/said.ts';
import { fields } from './meaning/alike.ts';

/** What an error is about, which decides what its caller does: change the request, look elsewhere, wait, or give up. */
export type ErrorClass = 'request' | 'missing' | 'limit' | 'account' | 'service';

/** What a status means in HTTP, and what the makers use it for. From 500 on it is always the service. */
const OF_STATUS: Readonly<Record<number, ErrorClass>> = {
  400: 'request',
  401: 'account',
  402: 'account',
  403: 'account',
  404: 'missing',
  408: 'service',
  413: 'request',
  422: 'request',
  429: 'limit',
};

/** The makers' error words. A word that is used with several statuses allows the class of each. */
const OF_WORD: Readonly<Record<DialectName, Readonly<Record<string, readonly ErrorClass[]>>>> = {
  // platform.openai.com/docs/guides/error-codes, and the `type` of the errors that its reference shows.
  'openai-chat': {
    invalid_request_error: ['request', 'missing', 'account'],
    authentication_error: ['account'],
    insufficient_quota: ['account'],
    not_found_error: ['missing'],
    rate_limit_error: ['limit'],
    requests: ['limit'],
    tokens: ['limit'],
    server_error: ['service'],
    api_error: ['service'],
  },
  // The same, and the codes of a failed response: platform.openai.com/docs/api-reference/responses/object.
  'openai-responses': {
    invalid_request_error: ['request', 'missing', 'account'],
    authentication_error: ['account'],
    insufficient_quota: ['account'],
    invalid_prompt: ['request'],
    not_found_error: ['missing'],
    rate_limit_error: ['limit'],
    rate_limit_exceeded: ['limit'],
    server_error: ['service'],
    api_error: ['service'],
  },
  // platform.claude.com/docs/en/api/errors
  'anthropic-messages': {
    invalid_request_error: ['request'],
    authentication_error: ['account'],
    billing_error: ['account'],
    permission_error: ['account'],
    not_found_error: ['missing'],
    request_too_large: ['request'],
    rate_limit_error: ['limit'],
    api_error: ['service'],
    timeout_error: ['service'],
    overloaded_error: ['service'],
  },
  // google.rpc.Code, whose comments name the HTTP status of each; ai.google.dev/gemini-api/docs/troubleshooting.
  gemini: {
    INVALID_ARGUMENT: ['request'],
    FAILED_PRECONDITION: ['request'],
    OUT_OF_RANGE: ['request'],
    UNAUTHENTICATED: ['account'],
    PERMISSION_DENIED: ['account'],
    NOT_FOUND: ['missing'],
    RESOURCE_EXHAUSTED: ['limit'],
    INTERNAL: ['service'],
    UNAVAILABLE: ['service'],
    DEADLINE_EXCEEDED: ['service'],
  },
};

/** The makers' reasons and codes that always mean that something is wrong with the account. */
const OF_ACCOUNT = /"(?:invalid_api_key|insufficient_quota|API_KEY_INVALID|billing_hard_limit_reached)"/;

/** The error in a whole answer, or the last one in a stream. */
const errorIn = (bytes: Buffer): Readonly<Record<string, unknown>> | undefined => {
  const whole = parsed(bytes.toString());
  const said =
    whole === undefined ? framesOf(bytes).map(({ data }) => parsed(data.toString())) : [whole].flat();
  for (const one of said.toReversed()) {
    const { error, response, type, ...rest } = fields(one);
    const found = error ?? fields(response)['error'];
    if (typeof found === 'object' && found !== null) return fields(found);
    if (type === 'error') return { ...rest, type: rest['code'] };
  }
  return undefined;
};

/** What an answer's error may be about, by its status and its words; empty if these contradict each other. */
export const errorClasses = (format: DialectName, status: number, bytes: Buffer): readonly ErrorClass[] => {
  if (OF_ACCOUNT.test(bytes.toString())) return ['account'];
  const { type, status: word, code } = errorIn(bytes) ?? {};
  const words: readonly unknown[] = format === 'gemini' ? [word] : [type, code];
  const told = words.flatMap((one) => OF_WORD[format][String(one)] ?? []);
  const byStatus = status >= 500 ? 'service' : OF_STATUS[status < 400 ? Number(code) : status];
  if (byStatus === undefined) return told;
  return told.length === 0 || told.includes(byStatus) ? [byStatus] : [];
};

/** What callers are told: the account is the operator's, so its problems are problems of the service to them. */
export const classToldToCallers = (about: ErrorClass): ErrorClass =>
  about === 'account' ? 'service' : about;
