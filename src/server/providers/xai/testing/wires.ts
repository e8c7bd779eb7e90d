import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 48,
    name: 'xAI',
    reference: 'docs.x.ai/docs/api-reference',
    thoughts: 'reasoning_content',
    beside: { citations: null, system_fingerprint: 'fp_1' },
    // An unknown key is reported as an invalid argument.
    badKey: {
      status: 400,
      body: {
        code: 'Client specified an invalid argument',
        error: 'Incorrect API key provided: xa***el. You can obtain an API key from https://console.x.ai.',
      },
    },
    rateLimit: {
      status: 429,
      body: { code: 'Some resource has been exhausted', error: 'Too many requests for team' },
    },
  }),
];

export const otherPaths: OtherPaths = {
  48: under('/v1', 'completions', 'embeddings', 'images'),
};
