import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 101,
    name: 'Together AI',
    reference: 'docs.together.ai/reference/chat-completions-1; models',
    usage: 'last-piece',
    models: { path: '/v1/models', body: [{ id: 'a/b', type: 'chat' }, { id: 'c/d' }], names: ['a/b', 'c/d'] },
    badKey: openaiError(401, 'Invalid API key provided.', 'invalid_request_error', 'invalid_api_key'),
    rateLimit: openaiError(429, 'You have reached the rate limit specific to this model', 'model_rate_limit'),
  }),
];

export const otherPaths: OtherPaths = {
  101: under('/v1', 'completions', 'embeddings', 'images', 'speech', 'transcriptions', 'rerank'),
};
