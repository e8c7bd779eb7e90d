import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 110,
    name: 'SambaNova',
    reference: 'docs.sambanova.ai: chat completions, API error codes',
    model: 'gpt-oss-120b',
    usage: 'last-piece',
    thoughts: 'reasoning',
    badKey: openaiError(401, 'Invalid API key', 'invalid_request_error', 'invalid_authentication'),
    rateLimit: openaiError(429, 'Rate limit exceeded', 'rate_limit_error', 'rate_limit_exceeded'),
  }),
];

export const otherPaths: OtherPaths = {
  110: under('/v1', 'completions', 'embeddings', 'transcriptions'),
};
