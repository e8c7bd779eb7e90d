import { foldedName } from '#contract/asked-words.ts';
import { ownOf } from '#core/json/fields.ts';
import {
  DURATION_WORDS,
  FRAME_RATE_WORDS,
  FRAMES_WORDS,
  MILLISECONDS_WORDS,
  RESOLUTION_WORDS,
  SECONDS_WORDS,
} from '#contract/channel/override-fields.ts';
import { AppError } from '../error.ts';
import { eachAsked } from '../json/each-asked.ts';
import type { Fields } from '../json/fields.ts';
import type { AskedMedia } from './price-factors.ts';

/*
 * Reads duration and size of requested media, wherever a body states them. Values that cannot be understood are never
 * charged as cheap.
 */

/** Ten hours, more than any single call produces. */
const MOST_SECONDS = 36_000;
const MOST_WORDS = 4;
const WORD = /^[a-z0-9][a-z0-9_.:x-]{0,39}$/;
const NUMBER = /^(\d{1,9}(?:\.\d{1,6})?) ?(?:s|secs?|seconds?)?$/i;
/**
 * Frames are converted at the requested frame rate, at most this; without one, at the slowest rate of the upstreams
 * that accept frames.
 */
const MOST_RATE = 24;
const SLOWEST_RATE = 8;
/** Stands for a value that is not a valid size word. */
const UNKNOWN = 'other';

/** Words that state no size: an ordinary quality, an aspect ratio. */
const PLAIN_WORD = /^(?:auto|default|standard|normal|\d{1,3}:\d{1,3})$/;

/** Whether a size word does not affect the price. */
export const isPlainWord = (word: string): boolean => PLAIN_WORD.test(word);

/** `--dur 10`, `--rs=1080p`: some upstreams parse such flags in the prompt. */
const FLAG = /--([a-z][a-z_-]{0,30})(?:[ \t]*=[ \t]*|[ \t]+)"?([^\s"]{1,40})/gi;
const SHORT_FLAGS: Readonly<Record<string, string>> = { dur: 'duration', rs: 'resolution' };

interface Found {
  readonly seconds: number[];
  readonly frames: number[];
  readonly rates: number[];
  readonly words: Set<string>;
}

/**
 * The media terms a body asks for: the longest duration and the dearest size that any of its fields, or any flag in its
 * texts, states. Throws `invalid_request` for an unreadable duration if `needsSeconds`, because an upstream might be
 * able to read it.
 * @param priceOf the factor of a size word, if known; of many words the dearest are kept
 */
export const askedMedia = (
  body: Fields,
  priceOf: (word: string) => number = () => 0,
  needsSeconds = true,
): AskedMedia => {
  const found: Found = { seconds: [], frames: [], rates: [], words: new Set() };
  const counts = (name: string, value: unknown, into: number[], ifUnread: 'refuse' | 'skip'): void => {
    const read = numberOf(value);
    if (read !== undefined) into.push(read);
    else if (needsSeconds && ifUnread === 'refuse' && !isNothing(value)) throw unreadable(name);
  };
  const look = (name: string, value: unknown): void => {
    const word = foldedName(name);
    if (SECONDS_WORDS.has(word)) counts(name, value, found.seconds, 'refuse');
    else if (MILLISECONDS_WORDS.has(word)) counts(name, thousandth(value), found.seconds, 'refuse');
    // Some formats call a list of pictures frames.
    else if (FRAMES_WORDS.has(word))
      counts(name, value, found.frames, typeof value === 'object' ? 'skip' : 'refuse');
    else if (FRAME_RATE_WORDS.has(word)) counts(name, value, found.rates, 'skip');
    else if (RESOLUTION_WORDS.has(word) && !isNothing(value)) found.words.add(wordOfSize(value));
  };
  eachAsked(body, {
    field: look,
    object: (fields, under) => {
      if (!IS_GIVEN.test(under)) addSides(fields, found.words);
    },
    text: (text) => {
      for (const [, name = '', value = ''] of text.matchAll(FLAG)) {
        const full = ownOf(SHORT_FLAGS, name.toLowerCase()) ?? name;
        // "--duration of the film" is no flag; "--duration -1" is one.
        if (!DURATION_WORDS.has(foldedName(full)) || /^-?\d/.test(value)) look(full, value);
      }
    },
  });
  const seconds = secondsOf(found);
  const words = [...found.words];
  if (words.length > MOST_WORDS) words.sort((one, other) => priceOf(other) - priceOf(one));
  return { ...(seconds !== undefined && { seconds }), words: words.slice(0, MOST_WORDS) };
};

/** The longest duration in seconds, rounded up to three decimals. */
const secondsOf = ({ seconds, frames, rates }: Found): number | undefined => {
  const rate = rates.length === 0 ? SLOWEST_RATE : Math.min(MOST_RATE, ...rates);
  const all = [...seconds, ...frames.map((count) => count / rate)];
  if (all.length === 0) return undefined;
  return Math.min(MOST_SECONDS, Math.ceil(Math.max(...all) * 1000 - 1e-6) / 1000);
};

/** Parses a number above 0. */
const numberOf = (value: unknown): number | undefined => {
  const read = typeof value === 'string' ? Number(NUMBER.exec(value.trim())?.[1] ?? Number.NaN) : value;
  return typeof read === 'number' && read > 0 ? read : undefined;
};

const thousandth = (value: unknown): unknown => {
  const read = typeof value === 'string' ? Number(value) : value;
  return typeof read === 'number' ? read / 1000 : value;
};

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === 0 || (typeof value === 'string' && value.trim() === '');

/** `1280*720`, `1280×720` and `1280X720` are the same. */
const wordOfSize = (value: unknown): string => {
  if (typeof value !== 'string' && typeof value !== 'number') return UNKNOWN;
  const text = String(value);
  const word =
    text.length > 80
      ? ''
      : text
          .trim()
          .toLowerCase()
          .replaceAll(/ ?[*×x] ?/g, 'x');
  return WORD.test(word) ? word : UNKNOWN;
};

/** Fields for input files: their sizes are not those of the result. */
const IS_GIVEN = /image|picture|video|file|media|mask|url/i;

/** Treats a width and a height as a size. */
const addSides = (fields: Fields, words: Set<string>): void => {
  const { width, height } = fields;
  if (isNothing(width) && isNothing(height)) return;
  words.add(wordOfSize(`${numberOf(width) ?? ''}x${numberOf(height) ?? ''}`));
};

const unreadable = (name: string): AppError =>
  new AppError('invalid_request', `'${name}': it must be a number of seconds or frames above 0`, {
    param: name,
  });
