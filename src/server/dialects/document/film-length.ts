import { isGemini } from '../picture/picture-tokens.ts';
import { bytesOf, MOST_TOKENS } from './file-size.ts';
import { isMp4, mp4Length } from './mp4-length.ts';
import { Untold } from './inflate.ts';
import { isEbml } from '../sound/ebml.ts';
import { webmLength } from './webm-length.ts';

/** More than cameras record: a file of more bytes or pictures a second plays longer than it says. */
const MOST_BYTES_PER_SECOND = 12_500_000;
const MOST_SAMPLES_PER_SECOND = 250;

/**
 * How many seconds a film plays at most (MP4, MOV, WebM, Matroska): the longest that any part of it says, as readers differ
 * in what they go by. Undefined for another file, and for one whose lengths cannot be true.
 * @param data base64, or an address of data
 */
const filmSeconds = (data: string): number | undefined => {
  const bytes = bytesOf(data);
  const read = isMp4(bytes) ? mp4Length : isEbml(bytes) ? webmLength : undefined;
  try {
    const length = read?.(bytes);
    if (length === undefined) return undefined;
    const { seconds, samples } = length;
    const least = Math.max(bytes.length / MOST_BYTES_PER_SECOND, samples / MOST_SAMPLES_PER_SECOND);
    return samples > 0 && seconds >= least && Number.isFinite(seconds) ? seconds : undefined;
  } catch (thrown) {
    if (thrown instanceof Untold || thrown instanceof RangeError) return undefined;
    throw thrown;
  }
};

/** What a film counts as. */
export interface FilmSize {
  readonly seconds: number;
  /** The pictures of it that a model is shown. */
  readonly frames: number;
}

/** The most pictures a second that Gemini takes, for a number that cannot be read. */
const MOST_FRAMES = 24;

/** @param asked how many pictures of each second the model is to be shown, where the caller says so */
export const filmSize = (data: string, asked: readonly unknown[]): FilmSize | undefined => {
  const seconds = filmSeconds(data);
  if (seconds === undefined) return undefined;
  const told = asked.filter((rate) => (rate ?? null) !== null).map(Number);
  const rate = Math.max(1, ...told.map((one) => (Number.isFinite(one) ? one : MOST_FRAMES)));
  return { seconds, frames: Math.ceil(seconds * rate) + 1 };
};

/** What a second of a film's sound counts as; and what a picture of it does, with its time (ai.google.dev, Tokens). */
const TOKENS_OF_SECOND = 32;
const TOKENS_OF_FRAME = 300;

/** What films count as at most by their maker's formula. Undefined for a model whose maker tells none. */
export const filmTokens = (
  model: string,
  { seconds, frames }: FilmSize,
): { readonly sound: number; readonly pictures: number } | undefined => {
  if (!isGemini(model)) return undefined;
  const sound = Math.min(MOST_TOKENS, Math.ceil(seconds * TOKENS_OF_SECOND));
  return { sound, pictures: Math.min(MOST_TOKENS - sound, frames * TOKENS_OF_FRAME) };
};
