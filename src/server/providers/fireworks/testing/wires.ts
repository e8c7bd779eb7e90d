import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 102,
    name: 'Fireworks AI',
    reference: 'docs.fireworks.ai/api-reference/post-chatcompletions',
    model: 'accounts/fireworks/models/kimi-k2',
    chat: '/inference/v1/chat/completions',
    usage: 'last-piece',
    startsAtOnce: true,
    badKey: openaiError(401, 'The API key you provided is invalid.', 'error', 'UNAUTHORIZED'),
    rateLimit: openaiError(429, 'Request limit exceeded', 'error', 'RATE_LIMIT_EXCEEDED'),
  }),
];

export const otherPaths: OtherPaths = {
  102: under('/inference/v1', 'completions', 'embeddings', 'rerank'),
};
