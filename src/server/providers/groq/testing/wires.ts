import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 100,
    name: 'Groq',
    reference: 'console.groq.com/docs/api-reference; errors',
    chat: '/openai/v1/chat/completions',
    usage: 'x_groq',
    thoughts: 'reasoning',
    badKey: openaiError(401, 'Invalid API Key', 'invalid_request_error', 'invalid_api_key'),
    rateLimit: {
      status: 429,
      headers: { 'retry-after': '2' },
      body: { error: { message: 'Rate limit reached', type: 'tokens', code: 'rate_limit_exceeded' } },
    },
  }),
];

export const otherPaths: OtherPaths = {
  100: under('/openai/v1', 'speech', 'transcriptions'),
};
