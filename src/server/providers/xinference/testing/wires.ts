import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 47,
    name: 'Xinference',
    reference: 'inference.readthedocs.io, OpenAI compatibility; simple OAuth2',
    usage: 'own-piece',
    badKey: { status: 401, body: { detail: 'Could not validate credentials' } },
    rateLimit: { status: 429, body: { detail: 'Rate limit reached for the model' } },
  }),
];

export const otherPaths: OtherPaths = {
  47: under('/v1', 'completions', 'embeddings', 'images', 'speech', 'transcriptions', 'rerank'),
};
