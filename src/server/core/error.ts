import type { Phrase, PhraseValues } from '#contract/messages.ts';
import type { ModelRateOutcome } from './model-rate-limiter.ts';

/** What can go wrong, as a closed list. Each has one HTTP status; each wire format writes it in its own shape. */
export const errorStatus = {
  /** The control plane's no (wrong password, name taken, missing object): the envelope says it, the status stays 200. */
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
  /** An upstream's 422: what the caller sent reads, and cannot be done. */
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

export type ErrorCode = keyof typeof errorStatus;

/** Whether the same call, sent again as it is, may end otherwise. Programs wait minutes for what cannot. */
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

/** What an upstream said when it failed a call: for status mapping, auto-disable and the caller's own mistakes. */
export interface UpstreamProblem {
  /** 0 when it never answered with a status, or the error came inside a 200. */
  readonly status: number;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** Cleaned of keys and addresses, at most 2 KB. */
  readonly message: string;
  /** Whatever else its error says (`details`), cleaned in the same way: for callers whose own mistake it is. */
  readonly extras?: Readonly<Record<string, unknown>>;
  /** It is about the operator's key, balance or rights there: nothing that passes by itself, and none of the caller's. */
  readonly ofAccount?: true;
}

interface ErrorDetails {
  /** For the log only; never shown to a caller. */
  readonly cause?: unknown;
  /** The field that is wrong, where one is. */
  readonly param?: string;
  readonly retryAfterSeconds?: number;
  /** A finer word than the code for machines, as the OpenAI format has one: `model_not_found`. */
  readonly reason?: string;
  readonly upstream?: UpstreamProblem;
  /** Nothing of the call has reached an upstream that could have done it. */
  readonly isUnsent?: boolean;
  /** Of a limit of calls: what is left of it. */
  readonly rate?: ModelRateOutcome;
  /** What fills the gaps of the message of `reason` where it is said in another language. */
  readonly values?: PhraseValues;
  /** The message as a sentence of the catalogue, for a reader of another language. */
  readonly phrase?: Phrase;
}

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
  }

  get status(): number {
    return errorStatus[this.code];
  }

  /** Whether it may help to send the same call again. */
  get mayPass(): boolean {
    return worthAnotherTry[this.code] && this.upstream?.ofAccount !== true;
  }
}

/** Anything thrown, as an AppError; what we did not foresee becomes `internal` and keeps its cause for the log. */
export const asAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError ? thrown : new AppError('internal', 'internal server error', { cause: thrown });

/** The same error, of a call that never went out whole. */
export const asUnsent = (error: AppError): AppError =>
  new AppError(error.code, error.message, { ...definedOf(error), cause: error.cause, isUnsent: true });

/** The same error in other words. */
export const reworded = (error: AppError, message: string): AppError =>
  new AppError(error.code, message, { ...definedOf(error), cause: error.cause, isUnsent: error.isUnsent });

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
