import type { AppError } from '#core/error.ts';

/**
 * What the head of an error says beside its status: whether the same call may be sent again, and when. OpenAI's and
 * Anthropic's own clients, and what is built on them, follow the first before they look at the status.
 *
 * @param mayHaveDone whether the call may have done what must not be done, or paid, twice (`mayHaveDone`)
 */
export const errorHeaders = (error: AppError, mayHaveDone = false): Readonly<Record<string, string>> => ({
  'x-should-retry': String(error.mayPass && !mayHaveDone),
  ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
});
