import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { fieldsOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { requireWholeSpeech, soundReply, voiceOf } from '../sound-reply.ts';
import { writtenFields } from '../written-fields.ts';

/** Speech (platform.minimax.io/docs/api-reference/speech-t2a-http), asked for in OpenAI's form and answered as sound. */
export const SPEECH_PATH = '/v1/t2a_v2';

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
  requireWholeSpeech(body);
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

const soundIn = (answer: Fields): Buffer =>
  Buffer.from(textOf(fieldsOf(answer['data'])['audio']) ?? '', 'hex');

/** The sound itself, where the answer is one; what was refused stands in an answer of status 200. */
export const speak = async (request: OutboundRequest, tools: AuthorizeTools): Promise<OutboundReply> => {
  const reply = await tools.send(request, tools.signal);
  const { audio_setting: asked } = writtenFields(request);
  return soundReply(reply, soundIn, textOf(fieldsOf(asked)['format']) ?? '');
};
