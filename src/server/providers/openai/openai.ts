import { adjustForReasoningModels } from '../adjust-chat.ts';
import { openaiLayout, openaiOperations } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { readEffortSuffix } from './effort-suffix.ts';
import { betterAtOpenai, chatAtOpenai } from '../openai-models.ts';

/** OpenAI itself, and anything that answers at the same paths. */
export const openai: Provider = {
  ...openaiLayout({
    prefix: '/v1',
    // It has no rerank itself; servers that answer at its paths often do.
    operations: ['chat', ...openaiOperations, 'rerank', 'models'],
    headers: ({ organization }): Record<string, string> =>
      organization === '' ? {} : { 'openai-organization': organization },
    natives: { responses: '/v1/responses' },
    adjust: (body, call) => adjustForReasoningModels(readEffortSuffix(body, call), call),
  }),
  dialect: chatAtOpenai,
  betterFor: betterAtOpenai,
};
