import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { openrouterThinking } from '../thinking.ts';
import { writeTranscription } from './openrouter-transcriptions.ts';

/** Source: openrouter.ai/docs. It reads newer and older names alike. */
export const openrouter: Provider = openaiLayout({
  prefix: '/v1',
  takesTopK: true,
  thinking: openrouterThinking,
  operations: ['chat', 'completions', 'embeddings', 'speech', 'transcriptions', 'rerank', 'models'],
  formsAsJson: ['transcriptions'],
  adjust: (body, call) => (call.operation === 'transcriptions' ? writeTranscription(body) : body),
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
});
