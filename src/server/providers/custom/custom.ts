import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { bearer, contentHeaders, withoutTopK } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';

/** Any address at all: the channel's is the whole one, and `{model}` in it stands for the model. */
export const custom: Provider = {
  dialect: withoutTopK(openaiChat),
  operations: ['chat', 'completions', 'embeddings'],
  address: (channel, call) => ({
    url: channel.baseUrl.replaceAll('{model}', () => encodeURIComponent(call.model)),
    headers: { ...contentHeaders(call), ...bearer(channel) },
  }),
};
