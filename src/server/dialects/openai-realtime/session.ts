import { type Fields, fieldsOf } from '../openai/fields.ts';

/** 24 000 samples of two bytes a second, unless the session says otherwise. */
export const SOUND_BYTES_PER_SECOND = 48_000;
/** Sound of the telephone: 8000 samples of a byte. */
const TELEPHONE_BYTES_PER_SECOND = 8000;
const TELEPHONE = /^(?:g711_|audio\/pcm[ua]$)/;

/** What a session says of itself that counts for its price. */
export interface Session {
  /** The model that writes down what is said. */
  readonly transcriber?: string;
  /** How many bytes a second of sound is: of the caller's, and of the answers'. */
  readonly heardBytesPerSecond: number;
  readonly saidBytesPerSecond: number;
}

/** The newer place of everything, and the older. */
export const readSession = (session: Fields): Session => {
  const { input, output } = fieldsOf(session['audio']);
  const { transcription, format } = fieldsOf(input);
  const { model } = fieldsOf(transcription ?? session['input_audio_transcription']);
  return {
    ...(typeof model === 'string' && { transcriber: model }),
    heardBytesPerSecond: bytesPerSecond(format ?? session['input_audio_format']),
    saidBytesPerSecond: bytesPerSecond(fieldsOf(output)['format'] ?? session['output_audio_format']),
  };
};

const bytesPerSecond = (format: unknown): number => {
  const name = typeof format === 'string' ? format : fieldsOf(format)['type'];
  const isTelephone = typeof name === 'string' && TELEPHONE.test(name);
  return isTelephone ? TELEPHONE_BYTES_PER_SECOND : SOUND_BYTES_PER_SECOND;
};
