import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { wordsAndNone } from '../shared/chat/thinking.ts';

/** Source: docs.fireworks.ai, OpenAI compatibility. */
export const fireworks = openaiLayout({
  types: [102],
  takesTopK: true,
  prefix: '/inference/v1',
  thinking: wordsAndNone,
  offers: { chat: { write: forLookAlikes }, completions: {}, embeddings: {}, rerank: {}, models: {} },
  natives: { responses: '/inference/v1/responses', messages: '/inference/v1/messages' },
  // docs.fireworks.ai, querying text models.
  modelPrefix: 'accounts/fireworks/models/',
  errorPatterns: { ...PAYMENT_REQUIRED, key: /^\[412\]/ },
});
