import { AppError } from '#core/error.ts';
import { type Fields, textOf } from '#core/json/fields.ts';
import { refuseAsked } from '../shared/request/refuse-asked.ts';
import { refuseStreamedSpeech, voiceOf } from '../shared/reply/audio-reply.ts';

/**
 * Speech (docs.x.ai/developers, text to speech), for callers of OpenAI's speech API. There is only one model, so none is
 * named; a language is required.
 */
const CODECS: ReadonlySet<string> = new Set(['mp3', 'wav', 'pcm', 'mulaw', 'alaw']);

/** Throws `invalid_request` for audio formats that xAI lacks, and for streamed speech. */
export const writeSpeech = (body: Fields): Fields => {
  refuseStreamedSpeech(body);
  refuseAsked(body, ['instructions']);
  const codec = textOf(body['response_format']) ?? 'mp3';
  if (!CODECS.has(codec))
    throw new AppError('invalid_request', `response_format: this upstream does not speak in ${codec}`, {
      param: 'response_format',
    });
  const { input, speed, language } = body;
  const voice = voiceOf(body);
  return {
    text: input,
    language: textOf(language) ?? 'auto',
    output_format: { codec },
    ...(voice !== undefined && { voice_id: voice }),
    ...(typeof speed === 'number' && { speed }),
  };
};
