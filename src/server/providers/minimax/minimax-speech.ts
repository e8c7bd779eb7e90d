import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { fieldsOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { bytesReply, readJson, wholeReply } from '../made-reply.ts';

/** Speech (platform.minimax.io/docs/api-reference/speech-t2a-http), asked for in OpenAI's form and answered as sound. */
export const SPEECH_PATH = '/v1/t2a_v2';

const MAX_REPLY_BYTES = 64 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
  opus: 'audio/ogg',
};

export const writeSpeech = (body: Fields): Fields => {
  const { input, voice, speed, response_format, instructions: _, stream_format, ...beside } = body;
  if (stream_format === 'sse')
    throw new AppError('invalid_request', 'stream_format: this upstream speaks whole', {
      param: 'stream_format',
    });
  const { voice_setting: ownVoice, audio_setting: ownAudio } = body;
  return {
    ...beside,
    text: input,
    stream: false,
    output_format: 'hex',
    voice_setting: {
      voice_id: voice,
      ...(typeof speed === 'number' && { speed }),
      ...fieldsOf(ownVoice),
    },
    audio_setting: { format: textOf(response_format) ?? 'mp3', ...fieldsOf(ownAudio) },
  };
};

/** The sound itself, where the answer is one; what was refused stands in an answer of status 200. */
export const speak = async (request: OutboundRequest, tools: AuthorizeTools): Promise<OutboundReply> => {
  const reply = await tools.send(request, tools.signal);
  if (reply.status < 200 || reply.status >= 300) return reply;
  const answer = fieldsOf(await readJson(reply, MAX_REPLY_BYTES));
  const sound = Buffer.from(textOf(fieldsOf(answer['data'])['audio']) ?? '', 'hex');
  if (sound.length === 0) return wholeReply(reply.status, answer);
  const { audio_setting: asked } = fieldsOf(JSON.parse(String(request.body ?? '{}')));
  const type = TYPES[textOf(fieldsOf(asked)['format']) ?? ''] ?? 'application/octet-stream';
  return bytesReply(sound, type);
};
