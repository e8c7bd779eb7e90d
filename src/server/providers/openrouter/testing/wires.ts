import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 20,
    name: 'OpenRouter',
    reference: 'openrouter.ai/docs/api-reference; errors',
    thoughts: 'reasoning',
    comment: 'OPENROUTER PROCESSING',
    beside: { provider: 'Someone' },
    badKey: { status: 401, body: { error: { message: 'No auth credentials found', code: 401 } } },
    rateLimit: {
      status: 429,
      body: {
        error: {
          message: 'Provider returned error',
          code: 429,
          metadata: { provider_name: 'Someone', raw: 'slow' },
        },
        user_id: 'user_1',
      },
    },
  }),
];

export const otherPaths: OtherPaths = {
  20: { ...under('/v1', 'completions', 'embeddings', 'rerank', 'speech'), images: '/v1/images' },
};
