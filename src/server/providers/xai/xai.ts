import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { xaiThinking } from '../thinking.ts';
import { writeEdit } from './xai-edits.ts';

/** Source: docs.x.ai, API reference. */
export const xai: Provider = openaiLayout({
  prefix: '/v1',
  thinking: xaiThinking,
  operations: ['chat', 'completions', 'embeddings', 'models', 'images', 'image-edits'],
  adjust: (body, call) => (call.operation === 'image-edits' ? writeEdit(body) : body),
  natives: { responses: '/v1/responses' },
});
