import { adjustForLookAlikes, isChat } from '../adjust-chat.ts';
import { thoughtsAsParts } from '../earlier-thoughts.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { mistralThinking } from '../thinking.ts';

/** Fields for the caller's own books that Mistral answers with 422; its streams end with usage unasked. */
const REFUSED = new Set(['stream_options', 'user', 'store', 'service_tier']);

/** Mistral refuses every field it does not know, and calls the seed differently. */
export const mistral: Provider = openaiLayout({
  prefix: '/v1',
  thinking: mistralThinking,
  operations: ['chat', 'embeddings', 'transcriptions', 'moderations', 'models'],
  adjust: (body, call) => {
    const adjusted: Record<string, unknown> = {};
    const chat = isChat(call) ? thoughtsAsParts(body) : body;
    for (const [key, value] of Object.entries(adjustForLookAlikes(chat, call))) {
      if (!REFUSED.has(key)) adjusted[key === 'seed' ? 'random_seed' : key] = value;
    }
    return adjusted;
  },
});
