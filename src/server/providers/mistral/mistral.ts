import { mistralFields } from '../mistral-fields.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { mistralThinking } from '../thinking.ts';

/** Mistral itself (docs.mistral.ai/api). */
export const mistral: Provider = openaiLayout({
  prefix: '/v1',
  thinking: mistralThinking,
  operations: ['chat', 'embeddings', 'transcriptions', 'moderations', 'models'],
  adjust: mistralFields,
});
