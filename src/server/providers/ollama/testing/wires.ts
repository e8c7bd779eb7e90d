import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 4,
    name: 'Ollama',
    reference: 'docs.ollama.com/api/openai-compatibility',
    thoughts: 'reasoning',
    badKey: { status: 401, body: { error: 'unauthorized' } },
    rateLimit: { status: 429, body: { error: 'too many requests' } },
  }),
];

export const otherPaths: OtherPaths = {
  4: under('/v1', 'completions', 'embeddings', 'speech', 'transcriptions'),
};
