import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 42,
    name: 'Mistral',
    reference: 'docs.mistral.ai/api',
    usage: 'last-piece',
    badKey: { status: 401, body: { detail: 'Unauthorized' } },
    rateLimit: {
      status: 429,
      body: {
        object: 'error',
        message: 'Rate limit exceeded',
        type: 'rate_limited',
        param: null,
        code: '1300',
        raw_status_code: 429,
      },
    },
  }),
];

export const otherPaths: OtherPaths = {
  42: under('/v1', 'embeddings', 'transcriptions', 'moderations'),
};
