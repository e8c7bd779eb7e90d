import { type Fields, fieldsOf } from '#core/json/fields.ts';

/** The default: 24,000 samples per second, two bytes each. */
export const AUDIO_BYTES_PER_SECOND = 48_000;
/** Telephone audio: 8000 samples per second, one byte each. */
const TELEPHONE_BYTES_PER_SECOND = 8000;
/** Samples per second that may be asked for: OpenAI has one rate, xAI several (docs.x.ai/developers, voice agent). */
const LEAST_RATE = 8000;
const MOST_RATE = 48_000;
const BYTES_PER_SAMPLE = 2;
const TELEPHONE = /^(?:g711_|audio\/pcm[ua]$)/;

/** The session settings that matter for the price, or for what may be said. */
export interface Session {
  /** The upstream's full name of the model, which clients repeat when they send a whole session back. */
  readonly model?: string;
  /** The model that transcribes the caller's audio. */
  readonly transcriber?: string;
  /** Bytes per second of the caller's audio, and of the answers'. */
  readonly inputBytesPerSecond: number;
  readonly outputBytesPerSecond: number;
}

/** Reads a session; every setting has a newer and an older field. */
export const readSession = (session: Fields): Session => {
  const { input, output } = fieldsOf(session['audio']);
  const { transcription, format } = fieldsOf(input);
  const { model: transcriber } = fieldsOf(transcription ?? session['input_audio_transcription']);
  const { model } = session;
  return {
    ...(typeof model === 'string' && { model }),
    ...(typeof transcriber === 'string' && { transcriber }),
    inputBytesPerSecond: bytesPerSecond(format ?? session['input_audio_format']),
    outputBytesPerSecond: bytesPerSecond(fieldsOf(output)['format'] ?? session['output_audio_format']),
  };
};

const bytesPerSecond = (format: unknown): number => {
  const { type, rate } = fieldsOf(format);
  const name = typeof format === 'string' ? format : type;
  if (typeof name === 'string' && TELEPHONE.test(name)) return TELEPHONE_BYTES_PER_SECOND;
  const isRate = typeof rate === 'number' && rate >= LEAST_RATE && rate <= MOST_RATE;
  return isRate ? rate * BYTES_PER_SAMPLE : AUDIO_BYTES_PER_SECOND;
};
