import type { DialectName } from '#core/chat/request.ts';
import type { ModelRateOutcome } from '#core/model-rate-limiter.ts';

/**
 * What is left of a limit of calls, as programs read it: OpenAI's headers, which others have taken over, and Anthropic's for
 * callers of its format (platform.openai.com/docs/guides/rate-limits, platform.claude.com/docs/en/api/rate-limits).
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
