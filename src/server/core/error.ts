import { type Phrase, type PhraseValues, say } from '#contract/messages.ts';
import type { ModelRateOutcome } from './limits/model-rate-limiter.ts';

/**
 * Everything that can go wrong, as a closed list. Each code has one HTTP status; each wire format writes it in its own
 * shape.
 */
export const errorStatus = {
  /**
   * The control plane refused (wrong password, name taken, missing object): the envelope says so, the status stays 200.
   */
  refused: 200,
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  insufficient_quota: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  /** An upstream's 422: the request is readable but cannot be done. */
  unprocessable: 422,
  rate_limited: 429,
  client_closed: 499,
  internal: 500,
  not_implemented: 501,
  upstream_failed: 502,
  no_channel: 503,
  unavailable: 503,
  upstream_timeout: 504,
} as const satisfies Record<string, number>;

/** One of the codes of `errorStatus`; the only codes an `AppError` has. */
export type ErrorCode = keyof typeof errorStatus;

/** Whether the same call may succeed if sent again. Clients wait minutes for errors they take as temporary. */
const worthAnotherTry: Readonly<Record<ErrorCode, boolean>> = {
  refused: false,
  invalid_request: false,
  unauthenticated: false,
  forbidden: false,
  insufficient_quota: false,
  not_found: false,
  method_not_allowed: false,
  conflict: true,
  payload_too_large: false,
  unsupported_media_type: false,
  unprocessable: false,
  rate_limited: true,
  client_closed: true,
  internal: true,
  not_implemented: false,
  upstream_failed: true,
  no_channel: true,
  unavailable: true,
  upstream_timeout: true,
};

/**
 * What the upstream reported when it failed a call. It decides on status mapping, auto-disable, and whether the caller
 * made a mistake.
 */
export interface UpstreamProblem {
  /** 0 if it sent no status, or the error came under status 200. */
  readonly status: number;
  /** The status that callers are told instead, by the channel's own mapping. */
  readonly reportedStatus?: number;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** Keys and addresses removed, at most 2 KB. */
  readonly message: string;
  /**
   * Other fields of the upstream's error (`details`), cleaned in the same way; shown when the caller made the mistake.
   */
  readonly extras?: Readonly<Record<string, unknown>>;
  /** It answered, but the answer could not be read. */
  readonly isUnread?: true;
  /** It answered with a web page, which no model writes: a gateway before it did not pass the call on. */
  readonly isPage?: true;
  /**
   * About the operator's key, balance or permissions at the upstream: it does not pass by itself, and the caller is not
   * to blame.
   */
  readonly ofAccount?: true;
}

interface ErrorDetails {
  /** For the log only; never shown to a caller. */
  readonly cause?: unknown;
  /** The invalid field, if there is one. */
  readonly param?: string;
  readonly retryAfterSeconds?: number;
  /** A more precise code for programs, as in the OpenAI format: `model_not_found`. */
  readonly reason?: string;
  readonly upstream?: UpstreamProblem;
  /** No upstream that could have done the call received any part of it. */
  readonly isUnsent?: boolean;
  /** For a rate limit: how much of it is left. */
  readonly rate?: ModelRateOutcome;
  /** The values for the placeholders in the message of `reason`, for other languages. */
  readonly values?: PhraseValues;
  /** Further fields that the control plane returns beside the message, if the endpoint has any. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** The message as an entry of the message table, for readers of other languages. */
  readonly phrase?: Phrase;
}

/** The longest time an upstream cools after failures, and so the longest `Retry-After` for callers. */
export const LONGEST_COOL_SECONDS = 300;

/** The one error this program throws on purpose. Its message may be shown to the caller; its cause may not. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: string | undefined;
  readonly upstream: UpstreamProblem | undefined;
  readonly isUnsent: boolean;
  readonly rate: ModelRateOutcome | undefined;
  readonly values: PhraseValues;
  readonly phrase: Phrase | undefined;
  readonly beside: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.param = details.param;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.reason = details.reason;
    this.upstream = details.upstream;
    this.isUnsent = details.isUnsent ?? false;
    this.rate = details.rate;
    this.values = details.values ?? {};
    this.phrase = details.phrase;
    this.beside = details.beside;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  /** Whether sending the same call again may help. */
  get mayPass(): boolean {
    return worthAnotherTry[this.code] && this.upstream?.ofAccount !== true;
  }

  /** `Retry-After` for the caller, in seconds. An upstream may say a year; we ask it again before that. */
  get toldRetrySeconds(): number | undefined {
    const { retryAfterSeconds, upstream } = this;
    if (retryAfterSeconds === undefined || upstream === undefined) return retryAfterSeconds;
    return Math.min(retryAfterSeconds, LONGEST_COOL_SECONDS);
  }
}

/** Turns anything thrown into an AppError; unexpected errors become `internal` and keep their cause for the log. */
export const asAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError ? thrown : new AppError('internal', 'internal server error', { cause: thrown });

const AGAIN_AFTER_SECONDS = 2;

/** The database did not answer, for whatever reason. Callers may retry soon. */
export const unavailable = (cause: unknown): AppError =>
  new AppError('unavailable', say('unavailable', 'en'), { cause, retryAfterSeconds: AGAIN_AFTER_SECONDS });

/** A web page came in place of an answer: the call was not done, and another channel may work. */
export const answeredByPage = (message = 'the upstream answered with a web page'): AppError =>
  new AppError('upstream_failed', message, { upstream: { status: 0, message, isPage: true } });

/** The upstream answered with nothing that can be read. It may have done the call; another channel may work. */
export const answerUnread = (message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { status: 0, message, isUnread: true } });

/**
 * The upstream did the call, or part of it, but its answer is unusable. Only calls that may be done twice are retried.
 */
export const answerLost = (message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { status: 0, message }, reason: ANSWER_LOST });

/** The reason of an error: the upstream did the call, but its answer is unusable. */
export const ANSWER_LOST = 'answer_lost';

/**
 * The upstream did the call, but its answer is longer than allowed. The request determined that length: another
 * channel's answer would be as long, so this does not count against the channel.
 */
export const answerTooLong = (message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { status: 0, message }, reason: ANSWER_TOO_LONG });

/** The reason of an error: the answer is longer than allowed. */
export const ANSWER_TOO_LONG = 'answer_too_long';

/** The same error, marked as never sent in full. */
export const asUnsent = (error: AppError): AppError =>
  new AppError(error.code, error.message, { ...definedOf(error), cause: error.cause, isUnsent: true });

/** The same error with another message. */
export const reworded = (error: AppError, message: string, param = error.param): AppError =>
  new AppError(error.code, message, {
    ...definedOf(error),
    ...(param !== undefined && { param }),
    cause: error.cause,
    isUnsent: error.isUnsent,
  });

/** The same error, with what the upstream reported. */
export const withUpstream = (error: AppError, upstream: UpstreamProblem): AppError =>
  new AppError(error.code, error.message, {
    ...definedOf(error),
    upstream,
    cause: error.cause,
    isUnsent: error.isUnsent,
  });

/** The same error, with fields that the control plane returns beside its message. */
export const withBeside = (error: AppError, beside: Readonly<Record<string, unknown>>): AppError =>
  new AppError(error.code, error.message, { ...definedOf(error), values: error.values, beside });

const definedOf = ({
  param,
  retryAfterSeconds,
  reason,
  upstream,
  rate,
  values,
  phrase,
}: AppError): ErrorDetails => ({
  values,
  ...(param !== undefined && { param }),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  ...(reason !== undefined && { reason }),
  ...(upstream !== undefined && { upstream }),
  ...(rate !== undefined && { rate }),
  ...(phrase !== undefined && { phrase }),
});
