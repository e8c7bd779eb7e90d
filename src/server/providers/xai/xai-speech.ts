import { AppError } from '#core/error.ts';
import { textOf, type Fields } from '../../dialects/openai/fields.ts';
import { requireWholeSpeech, voiceOf } from '../sound-reply.ts';

/**
 * Speech (docs.x.ai/developers, text to speech), asked for in OpenAI's form and answered as sound. It has one model, so
 * none is named, and a language must be.
 */
export const SPEECH_PATH = '/v1/tts';

const CODECS: ReadonlySet<string> = new Set(['mp3', 'wav', 'pcm', 'mulaw', 'alaw']);

/** Throws `invalid_request` for forms of sound that it has not, and for streams of events. */
export const writeSpeech = (body: Fields): Fields => {
  requireWholeSpeech(body);
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
