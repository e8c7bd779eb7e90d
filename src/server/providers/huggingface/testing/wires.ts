import { lookAlike } from '../../testing/openai-like.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 105,
    name: 'Hugging Face',
    reference: 'huggingface.co/docs/inference-providers',
    badKey: { status: 401, body: { error: 'Invalid username or password.' } },
    rateLimit: { status: 429, body: { error: 'We had to rate limit you.' } },
  }),
];
