import { adjustForLookAlikes } from '../adjust-chat.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';

/** Fields for the caller's own books that Mistral answers with 422; its streams end with usage unasked. */
const REFUSED = new Set(['stream_options', 'user', 'store', 'service_tier']);

/** Mistral refuses every field it does not know, and calls the seed differently. */
export const mistral: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'embeddings', 'transcriptions', 'moderations', 'models'],
  adjust: (body, call) => {
    const adjusted: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(adjustForLookAlikes(body, call))) {
      if (!REFUSED.has(key)) adjusted[key === 'seed' ? 'random_seed' : key] = value;
    }
    return adjusted;
  },
});
