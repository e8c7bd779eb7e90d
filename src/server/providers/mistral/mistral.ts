import { type Fields, textOf } from '#core/json/fields.ts';
import type { Offer } from '../../dialects/upstream.ts';
import { mistralChat, mistralFields } from '../shared/models/mistral-fields.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { mistralThinking } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';
import { audioReply, refuseStreamedSpeech, voiceOf } from '../shared/reply/audio-reply.ts';
import { sentFields } from '../shared/request/sent-fields.ts';

/** Speech is OpenAI's except for the voice and a reply in JSON (docs.mistral.ai/studio/audio/text-to-speech/generate-speech). */
const writeSpeech = (body: Fields): Fields => {
  refuseStreamedSpeech(body);
  const { voice: _, stream_format: _sse, ...rest } = body;
  const voice = voiceOf(body);
  return { ...rest, ...(voice !== undefined && { voice_id: voice }), response_format: formatOf(body) };
};

const formatOf = (body: Fields): string => textOf(body['response_format']) ?? 'mp3';

const audioIn = (answer: Fields): Buffer => Buffer.from(textOf(answer['audio_data']) ?? '', 'base64');

const speak: NonNullable<Offer['deliver']> = async (request, _, tools) => {
  const reply = await tools.send(request, tools.signal);
  return audioReply(reply, audioIn, formatOf(sentFields(request)), tools);
};

/** Mistral (docs.mistral.ai/api). */
export const mistral = openaiLayout({
  types: [42],
  prefix: '/v1',
  thinking: mistralThinking,
  offers: {
    chat: { write: mistralChat },
    embeddings: { write: mistralFields },
    speech: { write: writeSpeech, deliver: speak },
    transcriptions: { write: mistralFields },
    moderations: { write: mistralFields },
    models: {},
  },
  // docs.mistral.ai/models
  models:
    named(`mistral-large-latest mistral-large-2512 mistral-medium-latest mistral-medium-3-5 mistral-small-latest
    mistral-small-2603 magistral-medium-latest magistral-small-latest devstral-latest devstral-2512 codestral-latest
    codestral-2508 ministral-14b-2512 ministral-8b-2512 ministral-3b-2512 voxtral-small-latest voxtral-mini-latest
    voxtral-mini-2602 voxtral-mini-tts-3-0 voxtral-mini-tts-2603 mistral-embed codestral-embed mistral-moderation-latest`),
});
