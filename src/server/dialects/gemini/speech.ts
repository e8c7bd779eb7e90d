import type { ChatRequest, Speech } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { listOf, textOf, type Fields, wordOf } from '#core/json/fields.ts';
import { camelFields } from './fields.ts';

/** Bare samples, as Google's own models speak: 16 bits, one channel (ai.google.dev/gemini-api/docs/speech-generation). */
export const BARE_SAMPLES = 'audio/L16;codec=pcm;rate=24000';

/** Whether a `generationConfig` asks for a spoken answer. */
export const wantsSpeech = (config: Fields): boolean =>
  listOf(config['responseModalities']).some((word) => wordOf(word).toUpperCase() === 'AUDIO');

/** Whether several voices are asked for, which no other format can express. */
export const wantsVoices = (config: Fields): boolean =>
  camelFields(config['speechConfig'])['multiSpeakerVoiceConfig'] !== undefined;

/** How to speak the answer; undefined if the request does not ask for speech. */
export const readSpeech = (config: Fields): Speech | undefined => {
  if (!wantsSpeech(config)) return undefined;
  const voices = camelFields(camelFields(config['speechConfig'])['voiceConfig']);
  const voice = textOf(camelFields(voices['prebuiltVoiceConfig'])['voiceName']);
  return voice === undefined ? {} : { voice };
};

/**
 * Writes speech options for an upstream of this format, which returns raw samples. Refuses, by name, a sound format of
 * the caller that cannot be made from those.
 */
export const writeSpeech = ({ speech, stream, extras }: ChatRequest): Fields => {
  if (speech === undefined || extras.gemini !== undefined) return {};
  const { voice, format = 'pcm16' } = speech;
  if (format !== 'pcm16' && (format !== 'wav' || stream)) {
    const forms = stream ? "'pcm16'" : "'pcm16' or 'wav'";
    throw new AppError('invalid_request', `'audio.format': this model makes ${forms}, not '${format}'`, {
      param: 'audio.format',
      reason: 'unsupported_parameter',
    });
  }
  return {
    responseModalities: ['AUDIO'],
    ...(voice !== undefined && {
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
    }),
  };
};
