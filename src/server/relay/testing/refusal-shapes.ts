import { fieldsOf, wordOf } from '#core/json/fields.ts';
import type { CallerKind, Family, Told } from './refusal-callers.ts';

const ANTHROPIC_TYPES: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request_error'],
  401: ['authentication_error'],
  402: ['billing_error'],
  403: ['permission_error'],
  404: ['not_found_error'],
  413: ['request_too_large'],
  429: ['rate_limit_error'],
  502: ['api_error'],
  503: ['overloaded_error', 'api_error'],
  504: ['timeout_error'],
  529: ['overloaded_error'],
};
const GOOGLE_WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** What a refusal should be. */
export interface Expected {
  readonly status: number;
  /** Where the family's makers use another. */
  readonly of?: Partial<Readonly<Record<Family, number>>>;
  /** OpenAI's `code`. */
  readonly code?: string;
  readonly retry: boolean;
  /** `Retry-After`, in seconds, is at least 1 and at most this. */
  readonly after?: number;
  /** The limit of calls is told. */
  readonly limit?: true;
}

/** What is wrong with the shape of an error; undefined if programs of its family read it. */
const misshapen = (family: Family, { status, body }: Told, code: string | undefined): string | undefined => {
  const outer = fieldsOf(body);
  const error = fieldsOf(outer['error']);
  switch (family) {
    case 'openai':
      if (typeof error['message'] !== 'string' || typeof error['type'] !== 'string') return 'no OpenAI error';
      if (!('param' in error) || !('code' in error)) return 'fields are missing';
      return code === undefined || error['code'] === code ? undefined : `code ${wordOf(error['code'])}`;
    case 'anthropic':
      if (outer['type'] !== 'error' || typeof error['message'] !== 'string') return 'no Anthropic error';
      if (typeof outer['request_id'] !== 'string') return 'no request id';
      return ANTHROPIC_TYPES[status]?.includes(wordOf(error['type'])) === true
        ? undefined
        : `type ${wordOf(error['type'])}`;
    case 'google':
      if (error['code'] !== status || typeof error['message'] !== 'string') return 'no Google error';
      return GOOGLE_WORDS[status] === error['status'] ? undefined : `status ${wordOf(error['status'])}`;
    case 'midjourney':
      return typeof outer['code'] === 'number' && typeof outer['description'] === 'string'
        ? undefined
        : 'no Midjourney error';
    case 'suno':
      return typeof outer['code'] === 'string' && typeof outer['message'] === 'string'
        ? undefined
        : 'no Suno error';
  }
};

/** A refusal in one line: status, whether to try again, and what is wrong with it, which should be nothing. */
export const lineOf = ({ family, isCount }: CallerKind, told: Told, expected: Expected): string => {
  const { code, after, limit } = expected;
  const seconds = Number(told.header('retry-after'));
  const isTimed = after === undefined || (seconds >= 1 && seconds <= after);
  const name = family === 'anthropic' ? 'anthropic-ratelimit-requests-limit' : 'x-ratelimit-limit-requests';
  const faults = [
    misshapen(family, told, code),
    isTimed ? undefined : `retry-after ${String(told.header('retry-after'))}`,
    limit === true && isCount !== true && told.header(name) === undefined ? 'no limit is told' : undefined,
  ].filter((fault) => fault !== undefined);
  return [told.status, `retry ${String(told.header('x-should-retry'))}`, ...faults].join(', ');
};

/** The line without a fault. */
export const lineExpected = ({ family }: CallerKind, { status, of, retry }: Expected): string =>
  `${String(of?.[family] ?? status)}, retry ${String(retry)}`;
