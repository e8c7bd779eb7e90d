import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import type { OtherPaths } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 43,
    name: 'DeepSeek',
    reference: 'api-docs.deepseek.com, chat completion; error codes',
    thoughts: 'reasoning_content',
    comment: 'keep-alive',
    badKey: openaiError(402, 'Insufficient Balance', 'unknown_error', 'invalid_request_error'),
    rateLimit: openaiError(429, 'Rate limit reached', 'rate_limit_error'),
  }),
];

export const otherPaths: OtherPaths = {
  43: { completions: '/beta/completions' },
};
