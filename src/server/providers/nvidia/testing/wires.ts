import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 104,
    name: 'NVIDIA',
    reference: 'docs.api.nvidia.com/nim/reference',
    badKey: { status: 403, body: { status: 403, title: 'Forbidden', detail: 'Authorization failed' } },
    rateLimit: { status: 429, body: { status: 429, title: 'Too Many Requests' } },
  }),
];

export const otherPaths: OtherPaths = {
  104: under('/v1', 'completions', 'embeddings'),
};
