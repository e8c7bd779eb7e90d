import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { named } from '../shared/description/model-lists.ts';

/** 360's models, in OpenAI's format. */
export const ai360 = openaiLayout({
  types: [19],
  prefix: '/v1',
  offers: { chat: { write: forLookAlikes }, embeddings: {}, models: {} },
  // ai.360.com/platform/docs
  models: named('360zhinao2-o1 360gpt2-o1 360gpt2-pro 360gpt-pro 360gpt-turbo'),
});
