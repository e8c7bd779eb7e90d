import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 40,
    name: 'SiliconCloud',
    reference: 'docs.siliconflow.cn, chat completions; error codes',
    usage: 'last-piece',
    thoughts: 'reasoning_content',
    badKey: { status: 401, body: 'Invalid token' },
    rateLimit: {
      status: 429,
      body: { message: 'Request was rejected due to rate limiting. Details: TPM limit reached.', data: null },
    },
  }),
];

export const otherPaths: OtherPaths = {
  40: under('/v1', 'completions', 'embeddings', 'images', 'speech', 'transcriptions', 'rerank'),
};
