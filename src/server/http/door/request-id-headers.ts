import { REQUEST_ID_HEADER } from '#contract/limits.ts';

/** The headers with the request id: ours, and those OpenAI's and Anthropic's clients read. */
export const REQUEST_ID_HEADERS = [REQUEST_ID_HEADER, 'X-Request-Id', 'Request-Id'] as const;
