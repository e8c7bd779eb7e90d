import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { xaiThinking } from '../thinking.ts';
import { SPEECH_PATH, writeSpeech } from './xai-speech.ts';
import { writeEdit } from './xai-edits.ts';

/** Source: docs.x.ai, API reference. */
export const xai: Provider = openaiLayout({
  prefix: '/v1',
  thinking: xaiThinking,
  operations: ['chat', 'completions', 'embeddings', 'models', 'images', 'image-edits', 'speech'],
  formsAsJson: ['image-edits'],
  adjust: (body, call) => {
    if (call.operation === 'speech') return writeSpeech(body);
    return call.operation === 'image-edits' ? writeEdit(body) : body;
  },
  elsewhere: { speech: SPEECH_PATH },
  natives: { responses: '/v1/responses' },
});
