import { REQUEST_ID_HEADER } from '#contract/limits.ts';

/** What tells a caller of the relay the id of the call: our own header, and those OpenAI's and Anthropic's clients read. */
export const REQUEST_ID_HEADERS = [REQUEST_ID_HEADER, 'X-Request-Id', 'Request-Id'] as const;
