import { type Fields, fieldsOf, textOf } from '#core/json/fields.ts';
import type { Offer } from '../../dialects/upstream.ts';
import { refuseStreamedSpeech, audioReply, voiceOf } from '../shared/reply/audio-reply.ts';
import { refuseAsked } from '../shared/request/refuse-asked.ts';
import { sentFields } from '../shared/request/sent-fields.ts';

/** Speech (platform.minimax.io/docs/api-reference/speech-t2a-http), for callers of OpenAI's speech API. */
export const writeSpeech = (body: Fields): Fields => {
  const {
    input,
    voice: _voice,
    speed,
    response_format,
    instructions: _,
    stream_format: _sse,
    ...beside
  } = body;
  refuseStreamedSpeech(body);
  refuseAsked(body, ['instructions']);
  const { voice_setting: ownVoice, audio_setting: ownAudio } = body;
  return {
    ...beside,
    text: input,
    stream: false,
    output_format: 'hex',
    voice_setting: {
      voice_id: voiceOf(body),
      ...(typeof speed === 'number' && { speed }),
      ...fieldsOf(ownVoice),
    },
    audio_setting: { format: textOf(response_format) ?? 'mp3', ...fieldsOf(ownAudio) },
  };
};

const audioIn = (answer: Fields): Buffer =>
  Buffer.from(textOf(fieldsOf(answer['data'])['audio']) ?? '', 'hex');

/** Sends the request and unpacks the audio. Errors have the status 200 and pass unchanged. */
export const speak: NonNullable<Offer['deliver']> = async (request, _, tools) => {
  const reply = await tools.send(request, tools.signal);
  const { audio_setting: asked } = sentFields(request);
  return audioReply(reply, audioIn, textOf(fieldsOf(asked)['format']) ?? '', tools);
};
