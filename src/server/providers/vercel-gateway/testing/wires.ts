import { lookAlike, openaiError, openaiList } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 107,
    name: 'Vercel AI Gateway',
    reference: 'vercel.com/docs/ai-gateway',
    model: 'openai/gpt-5',
    thoughts: 'reasoning',
    badKey: openaiError(401, 'Unauthenticated', 'authentication_error'),
    rateLimit: openaiError(429, 'Rate limit exceeded', 'rate_limit_exceeded'),
    models: openaiList('/v1/models'),
  }),
];

export const otherPaths: OtherPaths = {
  107: under('/v1', 'embeddings', 'images', 'rerank'),
};
