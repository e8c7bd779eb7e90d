import { mistralFields } from '../mistral-fields.ts';
import { openaiLayout, PATHS } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { mistralThinking } from '../thinking.ts';
import { speak, writeSpeech } from './mistral-speech.ts';

/** Mistral itself (docs.mistral.ai/api). */
export const mistral: Provider = {
  ...openaiLayout({
    prefix: '/v1',
    thinking: mistralThinking,
    operations: ['chat', 'embeddings', 'speech', 'transcriptions', 'moderations', 'models'],
    adjust: (body, call) => (call.operation === 'speech' ? writeSpeech(body) : mistralFields(body, call)),
  }),
  deliver: (request, _, tools) =>
    request.url.endsWith(PATHS.speech) ? speak(request, tools) : tools.send(request, tools.signal),
};
