import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { named } from '../shared/description/model-lists.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';

/** Source: docs.sambanova.ai, OpenAI compatibility. */
export const sambanova = openaiLayout({
  types: [110],
  takesTopK: true,
  prefix: '/v1',
  offers: {
    chat: { write: forLookAlikes },
    completions: {},
    embeddings: {},
    models: {},
    transcriptions: {},
    translations: {},
  },
  errorPatterns: PAYMENT_REQUIRED,
  // docs.sambanova.ai/docs/en/models/sambacloud-models
  models: named('Meta-Llama-3.3-70B-Instruct gpt-oss-120b DeepSeek-V3.1 MiniMax-M2.7 gemma-4-31B-it'),
});
