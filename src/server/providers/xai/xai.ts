import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { xaiThinking } from '../thinking.ts';
import { SPEECH_PATH, writeSpeech } from './xai-speech.ts';
import { writeEdit } from './xai-edits.ts';
import { asForm, readTranscription, TRANSCRIPTION_PATH, writeTranscription } from './xai-transcriptions.ts';

/** Source: docs.x.ai, API reference. */
export const xai: Provider = {
  ...openaiLayout({
    prefix: '/v1',
    thinking: xaiThinking,
    operations: [
      'chat',
      'completions',
      'embeddings',
      'models',
      'images',
      'image-edits',
      'speech',
      'transcriptions',
      'realtime',
    ],
    formsAsJson: ['image-edits', 'transcriptions'],
    adjust: (body, call) => {
      if (call.operation === 'speech') return writeSpeech(body);
      if (call.operation === 'transcriptions') return writeTranscription(body);
      return call.operation === 'image-edits' ? writeEdit(body) : body;
    },
    elsewhere: { speech: SPEECH_PATH, transcriptions: TRANSCRIPTION_PATH },
    natives: { responses: '/v1/responses' },
  }),
  authorize: (request) => (request.url.endsWith(TRANSCRIPTION_PATH) ? asForm(request) : request),
  readReply: (body, call, asked) =>
    call.operation === 'transcriptions' ? readTranscription(body, asked) : body,
};
