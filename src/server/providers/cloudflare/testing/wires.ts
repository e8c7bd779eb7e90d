import { lookAlike } from '../../testing/openai-like.ts';
import type { OtherPaths } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 39,
    name: 'Cloudflare',
    reference: 'developers.cloudflare.com/workers-ai, OpenAI compatible endpoints; models search',
    other: 'account-1',
    model: '@cf/meta/llama-3.1-8b-instruct',
    chat: '/client/v4/accounts/account-1/ai/v1/chat/completions',
    usage: 'last-piece',
    jsonContent: { well: true },
    models: {
      path: '/client/v4/accounts/account-1/ai/models/search?per_page=1000&hide_experimental=true',
      body: { success: true, result: [{ id: 'u-1', name: '@cf/meta/llama-3.1-8b-instruct' }], errors: [] },
      names: ['@cf/meta/llama-3.1-8b-instruct'],
    },
    badKey: {
      status: 403,
      body: {
        success: false,
        errors: [{ code: 10_000, message: 'Authentication error' }],
        messages: [],
        result: null,
      },
    },
    rateLimit: {
      status: 429,
      body: {
        errors: [{ message: 'AiError: 3040: Capacity temporarily exceeded', code: 3040 }],
        success: false,
      },
    },
  }),
];

export const otherPaths: OtherPaths = {
  39: { embeddings: '/client/v4/accounts/account-1/ai/v1/embeddings' },
};
