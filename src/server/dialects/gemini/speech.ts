import type { ChatRequest, Speech } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { listOf, textOf, type Fields } from '../openai/fields.ts';
import { camelFields } from './fields.ts';

/** Bare samples, as Google's own models speak: 16 bits, one channel (ai.google.dev/gemini-api/docs/speech-generation). */
export const BARE_SAMPLES = 'audio/L16;codec=pcm;rate=24000';

export const wantsSpeech = (config: Fields): boolean =>
  listOf(config['responseModalities']).some((word) => String(word).toUpperCase() === 'AUDIO');

/** Whether several voices are to speak, which no other format can say. */
export const wantsVoices = (config: Fields): boolean =>
  camelFields(config['speechConfig'])['multiSpeakerVoiceConfig'] !== undefined;

/** How a request wants its answer said aloud; undefined where it does not. */
export const readSpeech = (config: Fields): Speech | undefined => {
  if (!wantsSpeech(config)) return undefined;
  const voices = camelFields(camelFields(config['speechConfig'])['voiceConfig']);
  const voice = textOf(camelFields(voices['prebuiltVoiceConfig'])['voiceName']);
  return voice === undefined ? {} : { voice };
};

/**
 * The same for an upstream of this format, which gives bare samples: what a caller of another format cannot have made
 * of them is refused by its name.
 */
export const writeSpeech = ({ speech, stream, extras }: ChatRequest): Fields => {
  if (speech === undefined || extras.gemini !== undefined) return {};
  const { voice, format = 'pcm16' } = speech;
  if (format !== 'pcm16' && (format !== 'wav' || stream)) {
    const forms = stream ? "'pcm16'" : "'pcm16' or 'wav'";
    throw new AppError(
      'invalid_request',
      `'audio.format': this model speaks in ${forms}, not in '${format}'`,
      {
        param: 'audio.format',
        reason: 'unsupported_parameter',
      },
    );
  }
  return {
    responseModalities: ['AUDIO'],
    ...(voice !== undefined && {
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
    }),
  };
};
