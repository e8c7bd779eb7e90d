import { openaiLayout } from '../shared/description/openai-layout.ts';
import { field, inWords, type WriteThinking } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';
import { withShape, writeEdit } from './xai-edits.ts';
import { writeSpeech } from './xai-speech.ts';
import { asForm, readTranscription, writeTranscription } from './xai-transcriptions.ts';

/** Some models refuse an effort (docs.x.ai, reasoning). */
const xaiThinking: WriteThinking = (wanted, model) => {
  if (wanted.isOff) return /grok-4\.3/.test(model) ? { reasoning_effort: 'none' } : {};
  const takesEffort = /grok-3-mini|grok-4\.[3-9](?!\d)|grok-[5-9]/.test(model);
  return takesEffort ? field('reasoning_effort', inWords(wanted.effort)) : {};
};

/** Source: docs.x.ai, API reference. */
export const xai = openaiLayout({
  types: [48],
  prefix: '/v1',
  thinking: xaiThinking,
  offers: {
    chat: {},
    completions: {},
    embeddings: {},
    models: {},
    images: { write: withShape },
    'image-edits': { formAsJson: true, write: writeEdit },
    speech: { path: '/v1/tts', write: writeSpeech },
    transcriptions: {
      path: '/v1/stt',
      formAsJson: true,
      write: writeTranscription,
      read: (body, _, asked) => readTranscription(body, asked),
      deliver: (request, _, tools) => tools.send(asForm(request), tools.signal),
    },
    realtime: {},
  },
  natives: { responses: '/v1/responses' },
  errorPatterns: {
    // xAI reports an unknown key as an invalid argument.
    key: /incorrect api key/i,
    billing: /^\[403\].*(?:credits|spending limit)/i,
    request: /^\[403\].*(?:usage guidelines|safety_check)/i,
  },
  // docs.x.ai/developers/models, without those retired on 15 May 2026
  models: named(
    'grok-4.7 grok-4.6 grok-4.5 grok-4.3 grok-4.20 grok-4.20-non-reasoning grok-build-0.1 grok-imagine-image',
  ),
});
