import { SOUND_HEAD_BYTES, SoundLength } from './sound-length.ts';

/** The most that a second of sound counts as (ai.google.dev/gemini-api/docs/tokens); OpenAI counts 10. */
const TOKENS_PER_SECOND = 32;
/** Raw samples have no header with their rate; the lowest is that of a telephone. */
const FEWEST_SAMPLED_BYTES = 8000;
const SAMPLES = /l16|pcm|aiff|basic/i;

/**
 * How long sound plays, at most.
 * @param data base64, or an address of data
 * @param type its format or media type, where it is told
 */
export const soundSeconds = (data: string, type: string): number => {
  const bytes = Buffer.from(data.slice(data.startsWith('data:') ? data.indexOf(',') + 1 : 0), 'base64');
  const length = new SoundLength(bytes.subarray(0, SOUND_HEAD_BYTES));
  length.push(bytes);
  return SAMPLES.test(type) ? bytes.length / FEWEST_SAMPLED_BYTES : length.end();
};

/** What sound in a prompt counts as at most, by how long it plays. Used for the hold, never for billing. */
export const soundTokens = (data: string, type: string): number =>
  Math.ceil(soundSeconds(data, type) * TOKENS_PER_SECOND);
