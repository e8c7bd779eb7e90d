import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 109,
    name: 'DeepInfra',
    reference: 'deepinfra.com/docs/openai_api',
    model: 'deepseek-ai/DeepSeek-V3.2',
    chat: '/v1/openai/chat/completions',
    usage: 'last-piece',
    badKey: openaiError(403, 'Not authenticated', 'invalid_request_error'),
    rateLimit: { status: 429, body: { error: { message: 'Model busy, retry later' } } },
  }),
];

export const otherPaths: OtherPaths = {
  109: under('/v1/openai', 'completions', 'embeddings'),
};
