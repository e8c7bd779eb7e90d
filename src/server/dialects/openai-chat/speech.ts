import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest, Speech } from '#core/chat/request.ts';
import { fieldsOf, listOf, textOf, type Fields } from '#core/json/fields.ts';

/** The voices of this format's models (platform.openai.com/docs, audio); other names are not sent. */
const VOICES = new Set(
  'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' '),
);
/** Raw samples, which every format with speech can carry. */
const RAW_FORMAT = 'pcm16';
const HEADER_BYTES = 44;

/** Whether a request asks for a spoken answer. */
export const wantsSpeech = (body: Fields): boolean => listOf(body['modalities']).includes('audio');

/** How to speak the answer; undefined if the request does not ask for speech. */
export const readSpeech = (body: Fields): Speech | undefined => {
  if (!wantsSpeech(body)) return undefined;
  const { voice, format } = fieldsOf(body['audio']);
  const name = textOf(voice);
  const form = textOf(format);
  return {
    ...(name !== undefined && !VOICES.has(name) && { voice: name }),
    ...(form !== undefined && { format: form }),
  };
};

/** Speech options for an upstream of this format; nothing if the caller's own fields are sent. */
export const writeSpeech = ({ speech, extras }: ChatRequest): Fields =>
  speech === undefined || extras['openai-chat']?.['modalities'] !== undefined
    ? {}
    : {
        modalities: ['text', 'audio'],
        audio: {
          voice: speech.voice !== undefined && VOICES.has(speech.voice) ? speech.voice : 'alloy',
          format: speech.format ?? RAW_FORMAT,
        },
      };

type Sound = Extract<ChatEvent, { type: 'audio-delta' }>;

/** A chunk of speech. This format needs an id, which other formats do not have. */
export const writeAudio = (event: Sound, answerId: string): Fields => {
  const id = event.id ?? (event.mediaType === undefined ? undefined : `audio_${answerId}`);
  return {
    ...(id !== undefined && { id }),
    ...(event.data !== undefined && { data: event.data }),
    ...(event.transcript !== undefined && { transcript: event.transcript }),
    ...(event.expiresAt !== undefined && { expires_at: event.expiresAt }),
  };
};

/** The speech of a whole response: raw samples get a WAV header if the caller asked for that. */
export const wholeAudio = (audio: Fields, { mediaType, asked }: WholeAudio): Fields => {
  if (mediaType === undefined) return audio;
  const data = textOf(audio['data']) ?? '';
  const isBare = /^audio\/(?:l16|pcm)\b/i.test(mediaType);
  const rateHz = Number(/rate=(\d{4,6})/.exec(mediaType)?.[1] ?? 24_000);
  return {
    expires_at: 0,
    transcript: '',
    ...audio,
    data: isBare && asked?.format === 'wav' ? withWavHeader(data, rateHz) : data,
  };
};

interface WholeAudio {
  /** The media type of the chunks; undefined if an upstream of this format made them. */
  readonly mediaType: string | undefined;
  readonly asked: Speech | undefined;
}

/** Puts a WAV header before 16-bit mono samples. */
const withWavHeader = (samples: string, rateHz: number): string => {
  const bytes = Buffer.from(samples, 'base64');
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + bytes.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rateHz, 24);
  header.writeUInt32LE(rateHz * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes.length, 40);
  return Buffer.concat([header, bytes]).toString('base64');
};
