import type { DialectName } from '#core/chat/request.ts';
import type { ModelRateOutcome } from '#core/limits/model-rate-limiter.ts';
import type { AppError } from '#core/error.ts';

/**
 * The rate limit headers: OpenAI's, which others use too, and Anthropic's for callers of its format
 * (platform.openai.com/docs/guides/rate-limits, platform.claude.com/docs/en/api/rate-limits).
 */
export const rateHeaders = (
  { limit, remaining, resetMs }: ModelRateOutcome,
  dialect: DialectName,
  nowMs: number,
): Readonly<Record<string, string>> =>
  dialect === 'anthropic-messages'
    ? {
        'anthropic-ratelimit-requests-limit': String(limit),
        'anthropic-ratelimit-requests-remaining': String(remaining),
        'anthropic-ratelimit-requests-reset': new Date(nowMs + resetMs).toISOString(),
      }
    : {
        'x-ratelimit-limit-requests': String(limit),
        'x-ratelimit-remaining-requests': String(remaining),
        'x-ratelimit-reset-requests': `${String(Math.ceil(resetMs / 1000))}s`,
      };

/**
 * The headers of an error response: whether and when to retry. The clients of OpenAI and Anthropic, and those built on
 * them, look at these before the status.
 * @param mayHaveDone whether the call may already have had effects that must not happen twice
 */
export const errorHeaders = (error: AppError, mayHaveDone = false): Readonly<Record<string, string>> => ({
  'x-should-retry': String(error.mayPass && !mayHaveDone),
  ...(error.toldRetrySeconds !== undefined && { 'retry-after': String(error.toldRetrySeconds) }),
});

/** The headers of the refusal of a call that limits count: also what is left of the limit, if that was the reason. */
export const refusalHeaders = (
  error: AppError,
  dialect: DialectName,
  nowMs: number,
  mayHaveDone = false,
): Readonly<Record<string, string>> => ({
  ...errorHeaders(error, mayHaveDone),
  ...(error.rate !== undefined && rateHeaders(error.rate, dialect, nowMs)),
});
