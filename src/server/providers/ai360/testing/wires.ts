import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 19,
    name: '360',
    reference: 'ai.360.com/open, chat completions',
    badKey: {
      status: 401,
      body: { error: { code: '1001', message: 'invalid api key', type: 'auth_error' } },
    },
    rateLimit: { status: 429, body: { error: { code: '1006', message: 'too many requests' } } },
  }),
];

export const otherPaths: OtherPaths = {
  19: under('/v1', 'embeddings'),
};
