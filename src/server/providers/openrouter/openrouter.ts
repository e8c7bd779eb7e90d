import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { openrouterThinking } from '../thinking.ts';
import { IMAGES_PATH, writeImages } from './openrouter-images.ts';
import { writeTranscription } from './openrouter-transcriptions.ts';

/** Source: openrouter.ai/docs. It reads newer and older names alike. */
export const openrouter: Provider = openaiLayout({
  prefix: '/v1',
  takesTopK: true,
  thinking: openrouterThinking,
  operations: [
    'chat',
    'completions',
    'embeddings',
    'images',
    'image-edits',
    'speech',
    'transcriptions',
    'rerank',
    'models',
  ],
  formsAsJson: ['image-edits', 'transcriptions'],
  adjust: (body, call) => {
    if (call.operation === 'images' || call.operation === 'image-edits') return writeImages(body);
    return call.operation === 'transcriptions' ? writeTranscription(body) : body;
  },
  elsewhere: { images: IMAGES_PATH, 'image-edits': IMAGES_PATH },
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
});
