import type { Fields } from '../dialects/openai/fields.ts';
import { adjustForLookAlikes, isChat } from './adjust-chat.ts';
import { thoughtsAsParts } from './earlier-thoughts.ts';
import type { Addressed } from './provider.ts';

/** Fields for the caller's own books, and one of others', that Mistral answers with 422; its streams end with usage unasked. */
const REFUSED = new Set(['stream_options', 'user', 'store', 'service_tier', 'top_k']);

/** Mistral's models refuse every field they do not know, wherever they are hosted, and call the seed differently. */
export const mistralFields = (body: Fields, call: Addressed): Fields => {
  const adjusted: Record<string, unknown> = {};
  const chat = isChat(call) ? thoughtsAsParts(body) : body;
  for (const [key, value] of Object.entries(adjustForLookAlikes(chat, call)))
    if (!REFUSED.has(key)) adjusted[key === 'seed' ? 'random_seed' : key] = value;
  return adjusted;
};
