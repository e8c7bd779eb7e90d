import { adjustForReasoningModels } from '../adjust-chat.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { readEffortSuffix } from './effort-suffix.ts';

/** OpenAI itself, and anything that answers at the same paths. */
export const openai: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'embeddings', 'models'],
  headers: ({ organization }): Record<string, string> =>
    organization === '' ? {} : { 'openai-organization': organization },
  speaksResponses: true,
  adjust: (body, call) => adjustForReasoningModels(readEffortSuffix(body, call), call),
});
