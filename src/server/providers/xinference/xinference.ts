import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';

/** Self-hosted models. Source: inference.readthedocs.io, compatibility with OpenAI; rerank. */
export const xinference = openaiLayout({
  types: [47],
  takesTopK: true,
  prefix: '/v1',
  offers: {
    chat: { write: forLookAlikes },
    completions: {},
    embeddings: {},
    images: {},
    'image-edits': {},
    'image-variations': {},
    speech: {},
    transcriptions: {},
    translations: {},
    rerank: {},
    models: {},
  },
  natives: { messages: '/anthropic/v1/messages' },
});
