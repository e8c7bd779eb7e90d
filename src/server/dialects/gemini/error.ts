import { AppError, type ErrorCode, type UpstreamProblem } from '#core/error.ts';
import { camelFields } from './fields.ts';
import { fieldsOf, isFields, listOf, ownOf, textOf, type Fields, wordOf } from '#core/json/fields.ts';
import { errorExtras } from '../error-extras.ts';
import type { Frame } from '../frame.ts';
import { redact } from '../redact.ts';
import { writeFrame } from '../sse.ts';
import { CALLER_MISTAKES, codeOfStatus, isOfAccount } from '../upstream-status.ts';
import {
  accountTrouble,
  couldNotServe,
  limitInside,
  tellable,
  upstreamFailure,
  upstreamRefusal,
} from '../upstream-words.ts';

/** Google's status (google.rpc.Code) for each of our codes. */
const STATUS_WORDS: Readonly<Record<ErrorCode, string>> = {
  refused: 'UNKNOWN',
  invalid_request: 'INVALID_ARGUMENT',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'PERMISSION_DENIED',
  insufficient_quota: 'PERMISSION_DENIED',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'INVALID_ARGUMENT',
  conflict: 'ABORTED',
  payload_too_large: 'INVALID_ARGUMENT',
  unsupported_media_type: 'INVALID_ARGUMENT',
  unprocessable: 'INVALID_ARGUMENT',
  rate_limited: 'RESOURCE_EXHAUSTED',
  client_closed: 'CANCELLED',
  internal: 'INTERNAL',
  not_implemented: 'UNIMPLEMENTED',
  upstream_failed: 'UNAVAILABLE',
  no_channel: 'UNAVAILABLE',
  unavailable: 'UNAVAILABLE',
  upstream_timeout: 'DEADLINE_EXCEEDED',
};

const KNOWN_IN_ERROR = new Set(['message', 'status', 'type', 'code']);

/** Messages of a 400 that is about our account, not the caller's request. */
const OUR_TROUBLE = /api[ _]key|billing|user location is not supported|consumer .*suspended/i;

/**
 * Converts an upstream's google.rpc.Status. The caller's mistakes keep the upstream's message; problems of our account
 * (keys, billing, region) become `upstream_failed`, with the message only in `upstream`.
 */
export const readError = (status: number, body: unknown, retryAfter?: string): AppError => {
  const upstream = readProblem(status, body);
  const ours = OUR_TROUBLE.test(upstream.message) || upstream.code === 'API_KEY_INVALID';
  if (isOfAccount(status) || (ours && codeOfStatus(status) !== 'rate_limited'))
    return accountTrouble(upstream, couldNotServe(status));
  return upstreamRefusal(upstream, {
    body,
    retryAfterSeconds: retrySeconds(body, retryAfter),
    param: fieldIn(body),
  });
};

/** The status for each of Google's words, for errors without a number. */
const STATUSES: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
};

/** The status that an error names, which is that of the answer it would have been; 0 for none. */
const statusInside = (body: unknown, word = ''): number => {
  const { code } = fieldsOf(fieldsOf(Array.isArray(body) ? body[0] : body)['error']);
  const isStatus = typeof code === 'number' && code >= 400 && code < 600;
  return isStatus ? code : (ownOf(STATUSES, word) ?? 0);
};

/** An error inside a stream, or with status 200. */
export const readErrorInside = (body: unknown): AppError => {
  const upstream = readProblem(0, body);
  const status = statusInside(body, upstream.type);
  const code = codeOfStatus(status);
  const failed = 'the upstream ended the reply with an error';
  if (code === 'rate_limited') return limitInside(upstream, body);
  if (isOfAccount(status) || upstream.code === 'API_KEY_INVALID') return accountTrouble(upstream, failed);
  if (CALLER_MISTAKES.has(code) && upstream.message !== '' && !OUR_TROUBLE.test(upstream.message))
    return new AppError(code, upstream.message, { upstream });
  return upstreamFailure(upstream, tellable(upstream, body, failed));
};

const readProblem = (status: number, body: unknown): UpstreamProblem => {
  if (typeof body === 'string')
    return {
      status,
      message: /^\s*</.test(body) ? 'the upstream answered with a web page' : redact(body.trim()),
    };
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body);
  const error = typeof outer['error'] === 'string' ? { message: outer['error'] } : fieldsOf(outer['error']);
  const message = error['message'] ?? outer['message'] ?? outer['msg'] ?? '';
  const type = textOf(error['status'] ?? error['type']);
  const reason = detailsOf(body)
    .map((detail) => textOf(detail['reason']))
    .find((word) => word !== undefined);
  const code = reason ?? word(error['code']);
  const extras = errorExtras(error, KNOWN_IN_ERROR);
  return {
    status,
    ...(extras !== undefined && { extras }),
    message: redact(typeof message === 'string' ? message : JSON.stringify(message)),
    ...(type !== undefined && { type: redact(type).slice(0, 128) }),
    ...(code !== undefined && { code: redact(code).slice(0, 128) }),
  };
};

const detailsOf = (body: unknown): readonly Fields[] => {
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body);
  return listOf(fieldsOf(outer['error'])['details']).filter(isFields);
};

/** The first field named by a google.rpc.BadRequest. */
const fieldIn = (body: unknown): string | undefined => {
  const fields = detailsOf(body)
    .flatMap((detail) => listOf(camelFields(detail)['fieldViolations']))
    .map((violation) => textOf(fieldsOf(violation)['field']));
  const field = fields.find((named) => named !== undefined);
  return field === undefined ? undefined : redact(field).slice(0, 128);
};

/** `Retry-After`, or the `retryDelay` of a google.rpc.RetryInfo (`"48s"`). */
const retrySeconds = (body: unknown, header: string | undefined): number | undefined => {
  const delays = detailsOf(body).map((detail) =>
    textOf(camelFields(detail)['retryDelay'])?.replace(/s$/, ''),
  );
  const text = header?.trim() ?? delays.find((delay) => delay !== undefined);
  if (text === undefined || !/^\d{1,6}(?:\.\d+)?$/.test(text)) return undefined;
  return Math.min(Math.ceil(Number(text)), 86_400);
};

const word = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : textOf(value);

/** An error as google.rpc.Status, with the wrong field and our request id in its details. */
export const writeError = (
  error: AppError,
  requestId: string,
): { readonly status: number; readonly body: unknown } => {
  const upstreamDetails = CALLER_MISTAKES.has(error.code) ? detailsFrom(error.upstream?.extras) : [];
  const details: Fields[] = [];
  if (
    error.param !== undefined &&
    !upstreamDetails.some((detail) => wordOf(detail['@type']).endsWith('BadRequest'))
  )
    details.push({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: error.param, description: error.message }],
    });
  details.push({
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: (error.reason ?? error.code).toUpperCase(),
    domain: 'tollgate',
  });
  if (error.toldRetrySeconds !== undefined)
    details.push({
      '@type': 'type.googleapis.com/google.rpc.RetryInfo',
      retryDelay: `${error.toldRetrySeconds}s`,
    });
  details.push(...upstreamDetails);
  const message = requestId === '' ? error.message : `${error.message} (request id: ${requestId})`;
  return {
    status: error.status,
    body: { error: { code: error.status, message, status: STATUS_WORDS[error.code], details } },
  };
};

/** Other fields of an upstream's error: Google's details unchanged, another format's as one detail of unknown type. */
const detailsFrom = (extras: Fields | undefined): Fields[] => {
  if (extras === undefined) return [];
  const { details, ...others } = extras;
  const typed = Array.isArray(details)
    ? details.filter((detail) => isFields(detail) && '@type' in detail)
    : [];
  // Hides the operator's project.
  const own = typed.filter(isFields).filter((detail) => !wordOf(detail['@type']).endsWith('ErrorInfo'));
  const value = typed.length > 0 ? others : extras;
  return Object.keys(value).length === 0
    ? own
    : [...own, { '@type': 'type.googleapis.com/google.protobuf.Struct', value }];
};

/**
 * An error as the end of a stream: as an event and once more bare. `@google/genai`, and Gemini CLI with it, sees errors of a stream
 * only where they are no event, and takes what came before for the whole answer otherwise (js-genai, processStreamResponse).
 * Readers of events pass over it. This format has no end mark.
 */
export const errorFrames = (error: AppError, requestId: string): readonly Frame[] => {
  const body = JSON.stringify(writeError(error, requestId).body);
  return [writeFrame(body), { raw: Buffer.from(`${body}\n\n`), event: '', data: Buffer.alloc(0) }];
};

export const writeStreamError = (error: AppError, requestId: string): Buffer =>
  Buffer.concat(errorFrames(error, requestId).map(({ raw }) => raw));
