import type { AppError } from '#core/error.ts';

/**
 * What the head of an error says beside its status: whether the same call may be sent again, and when. OpenAI's and
 * Anthropic's own clients, and what is built on them, follow the first before they look at the status.
 */
export const errorHeaders = (error: AppError): Readonly<Record<string, string>> => ({
  'x-should-retry': String(error.mayPass),
  ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
});
