import { lookAlike } from '../../testing/openai-like.ts';
import type { OtherPaths } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 106,
    name: 'GitHub Models',
    reference: 'docs.github.com/rest/models',
    model: 'openai/gpt-4.1',
    chat: '/inference/chat/completions',
    headers: { authorization: 'Bearer sk-of-the-channel', 'x-github-api-version': '2022-11-28' },
    models: {
      path: '/catalog/models',
      body: [{ id: 'openai/gpt-4.1', name: 'OpenAI GPT-4.1' }],
      names: ['openai/gpt-4.1'],
    },
    badKey: { status: 401, body: { error: { code: 'unauthorized', message: 'Bad credentials' } } },
    rateLimit: {
      status: 429,
      headers: { 'retry-after': '30' },
      body: {
        error: {
          code: 'RateLimitReached',
          message: 'Rate limit of 10 per 60s exceeded',
          details: 'Wait 30 seconds',
        },
      },
    },
  }),
];

export const otherPaths: OtherPaths = {
  106: { embeddings: '/inference/embeddings' },
};
