import type { Fields } from '#core/json/fields.ts';
import type { UpstreamCall } from '../../../dialects/upstream.ts';
import { forLookAlikes, isOpenaiChat } from '../chat/adjust-chat.ts';
import { reasoningAsParts } from '../chat/earlier-reasoning.ts';

/** Fields that Mistral answers with 422. Its streams report usage without `stream_options`. */
const REFUSED = new Set(['stream_options', 'user', 'store', 'service_tier', 'top_k']);

/** Mistral's models refuse unknown fields at every host, and name the seed `random_seed`. */
export const mistralFields = (body: Fields): Fields => {
  const known: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body))
    if (!REFUSED.has(key)) known[key === 'seed' ? 'random_seed' : key] = value;
  return known;
};

/** The same for a chat, with earlier reasoning as parts of its messages. */
export const mistralChat = (body: Fields, call: UpstreamCall): Fields =>
  mistralFields(forLookAlikes(isOpenaiChat(call) ? reasoningAsParts(body) : body));
