import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest, Speech } from '#core/chat/request.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../openai/fields.ts';

/** The voices of this format's models (platform.openai.com/docs, audio); a name of another maker's is none here. */
const VOICES = new Set(
  'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' '),
);
/** Bare samples: what every format that speaks can carry on. */
const BARE = 'pcm16';
const HEADER_BYTES = 44;

export const wantsSpeech = (body: Fields): boolean => listOf(body['modalities']).includes('audio');

/** How a request wants its answer said aloud; undefined where it does not. */
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

/** The same for an upstream of this format; nothing where the caller's own words for it are there. */
export const writeSpeech = ({ speech, extras }: ChatRequest): Fields =>
  speech === undefined || extras['openai-chat']?.['modalities'] !== undefined
    ? {}
    : {
        modalities: ['text', 'audio'],
        audio: {
          voice: speech.voice !== undefined && VOICES.has(speech.voice) ? speech.voice : 'alloy',
          format: speech.format ?? BARE,
        },
      };

type Sound = Extract<ChatEvent, { type: 'audio-delta' }>;

/** A piece of what was said aloud. Here it has an id, which other formats do not give. */
export const writeAudio = (event: Sound, answerId: string): Fields => {
  const id = event.id ?? (event.mediaType === undefined ? undefined : `audio_${answerId}`);
  return {
    ...(id !== undefined && { id }),
    ...(event.data !== undefined && { data: event.data }),
    ...(event.transcript !== undefined && { transcript: event.transcript }),
    ...(event.expiresAt !== undefined && { expires_at: event.expiresAt }),
  };
};

/** All that was said aloud, as a whole answer tells it: bare samples behind a header where the caller asked for that. */
export const wholeAudio = (audio: Fields, { mediaType, asked }: WholeAudio): Fields => {
  if (mediaType === undefined) return audio;
  const data = textOf(audio['data']) ?? '';
  const isBare = /^audio\/(?:l16|pcm)\b/i.test(mediaType);
  const rateHz = Number(/rate=(\d{4,6})/.exec(mediaType)?.[1] ?? 24_000);
  return {
    expires_at: 0,
    transcript: '',
    ...audio,
    data: isBare && asked?.format === 'wav' ? behindHeader(data, rateHz) : data,
  };
};

interface WholeAudio {
  /** Of the pieces; undefined where the format's own upstream made them. */
  readonly mediaType: string | undefined;
  readonly asked: Speech | undefined;
}

/** One channel of 16-bit samples as a RIFF file. */
const behindHeader = (samples: string, rateHz: number): string => {
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
