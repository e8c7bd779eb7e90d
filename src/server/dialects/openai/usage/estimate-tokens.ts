import { HELD_BYTES_PER_TOKEN } from '#core/quota/charge.ts';
import { AppError } from '#core/error.ts';
import { type Fields, isFields } from '#core/json/fields.ts';
import { isSharedPart } from '#core/json/known-parts.ts';
import { fileTokens } from '../../document/file-size.ts';
import { filmTokens } from '../../document/film-length.ts';
import { type Picture, pictureTokens } from '../../picture/picture-tokens.ts';
import { closeTokens, denserTokens, safeTokens } from './close-tokens.ts';
import { MEDIA_FIELDS, mediaOfPart } from './media-of-part.ts';

const MAX_DEPTH = 64;
const MAX_VALUES = 2_000_000;
/** Claude's newest tokenizers count up to a third more than those that can be looked at. */
const CLAUDE_COUNTS = 1.35;

/** Some models count twenty times what others do for the same picture, page or second. */
export const DEAREST_MEDIA = 20;

/** What models may count for a picture beside what its size says: some see every picture as a large one. */
export const PICTURE_MOST_TOKENS = 40_000;

/**
 * What a file may count as, however few bytes it has: pages are counted as pictures, whatever is on them, and films by how
 * long they play. No model reads more.
 */
export const FILE_MOST_TOKENS = 2_000_000;

/** The size of a part of a prompt, in tokens. */
export interface PromptSize {
  /** Upper estimate: bytes of text, fixed weights for everything else. */
  readonly tokens: number;
  /** How many of them are of sound, and of pictures. */
  readonly sound: number;
  readonly pictures: number;
  /** How many more there are where pictures of unknown size are large. */
  readonly morePictures: number;
  /** The most that any model can count: a token for each byte. Undefined if part of it is only named and not sent. */
  readonly most: number | undefined;
  /** It names a file by its address, or has one that cannot be counted: that may fill the model's context. */
  readonly isElsewhere: boolean;
  /** Part of it is to stay in a cache for an hour. */
  readonly isForAnHour: boolean;
}

/** Whether a cache mark of the Messages format, which routers to Claude know too, asks for an hour. */
export const isForAnHour = (mark: unknown): boolean => isFields(mark) && mark['ttl'] === '1h';

/** How texts are counted: by their bytes, or `closely`, letter by letter, which takes far longer. */
export type Counting = 'by bytes' | 'closely';

/**
 * Measures any part of a request. Linear; throws `invalid_request` if it is nested too deep or has too many values. Used
 * for the hold and to tell what an upstream's report cannot be, never for billing.
 * @param counting `closely` for an upper estimate of text that is not far above what models count
 */
export const measurePrompt = (value: unknown, model = '', counting: Counting = 'by bytes'): PromptSize => {
  const sum = newSum(counting === 'closely' ? (model.includes('claude') ? CLAUDE_COUNTS : 1) : undefined);
  add(value, sum, 0, OUTSIDE_JSON);
  const { bytes, denser, numbers, pages, letters, sound, isNamed } = sum;
  const seen = pictureTokens(model, sum.pictures);
  const files = fileTokens(model, { pages, letters });
  const films =
    sum.filmFrames === 0
      ? undefined
      : filmTokens(model, { seconds: sum.filmSeconds, frames: sum.filmFrames });
  const filmed = films === undefined ? sum.usualOfFilms : films.sound + films.pictures;
  // What is written as several letters in JSON may have more tokens than bytes.
  const mostBytes = Math.max(bytes, Math.ceil(bytes / HELD_BYTES_PER_TOKEN + denser));
  return {
    tokens:
      Math.ceil(bytes / HELD_BYTES_PER_TOKEN + denser) +
      numbers +
      sound +
      seen.usual +
      files.tokens +
      filmed +
      sum.files,
    sound: sound + (films?.sound ?? 0),
    pictures: seen.usual + files.pictures + (films?.pictures ?? 0),
    morePictures: seen.most - seen.usual,
    most: isNamed ? undefined : mostBytes + numbers + letters + sum.mediaMost + seen.most,
    isElsewhere: sum.isElsewhere || (films === undefined && sum.filmFrames > 0),
    isForAnHour: sum.isForAnHour,
  };
};

/** The upper estimate alone. */
export const estimateTokens = (value: unknown): number => measurePrompt(value).tokens;

interface Sum {
  /** What our close count is multiplied by; undefined: texts are not read letter by letter. */
  readonly closely: number | undefined;
  bytes: number;
  /** The tokens of texts beyond one for two bytes; below 0 if they have fewer. */
  denser: number;
  /** Text given as token numbers. */
  numbers: number;
  /** Of files that can be counted. */
  pages: number;
  letters: number;
  /** Of films whose length is known, and what such films usually have. */
  filmSeconds: number;
  filmFrames: number;
  usualOfFilms: number;
  /** The tokens of other files, and of sound. */
  files: number;
  sound: number;
  readonly pictures: Picture[];
  /** What no model counts more for files, pictures and sound. */
  mediaMost: number;
  values: number;
  /** Some of it is named by an id or address, and may be of any size. */
  isNamed: boolean;
  /** One of its files is. */
  isElsewhere: boolean;
  isForAnHour: boolean;
}

const newSum = (closely?: number): Sum => ({
  closely,
  bytes: 0,
  denser: 0,
  numbers: 0,
  pages: 0,
  letters: 0,
  filmSeconds: 0,
  filmFrames: 0,
  usualOfFilms: 0,
  files: 0,
  sound: 0,
  pictures: [],
  mediaMost: 0,
  values: 0,
  isNamed: false,
  isElsewhere: false,
  isForAnHour: false,
});

/** Sums of messages and tools that are repeated with every call. */
const known = new WeakMap<object, Readonly<Sum>>();

/** Adds an item of the outermost list. */
const addPart = (part: object, sum: Sum): void => {
  let own = sum.closely === undefined ? known.get(part) : undefined;
  if (own === undefined) {
    if (sum.closely !== undefined || !isSharedPart(part)) return add(part, sum, 1, OUTSIDE_JSON);
    const counted = newSum();
    add(part, counted, 1, OUTSIDE_JSON);
    known.set(part, (own = counted));
  }
  sum.bytes += own.bytes;
  sum.denser += own.denser;
  sum.numbers += own.numbers;
  sum.values += own.values;
  assertFew(sum);
  if (own.mediaMost > 0 || own.isNamed || own.isForAnHour) addMediaOf(own, sum);
};

/** Most parts have none: whatever is no text has something that no model counts more for, or is named. */
const addMediaOf = (own: Readonly<Sum>, sum: Sum): void => {
  sum.pages += own.pages;
  sum.letters += own.letters;
  sum.filmSeconds += own.filmSeconds;
  sum.filmFrames += own.filmFrames;
  sum.usualOfFilms += own.usualOfFilms;
  sum.files += own.files;
  sum.sound += own.sound;
  sum.pictures.push(...own.pictures);
  sum.mediaMost += own.mediaMost;
  sum.isNamed ||= own.isNamed;
  sum.isElsewhere ||= own.isElsewhere;
  sum.isForAnHour ||= own.isForAnHour;
};

const assertFew = ({ values }: Sum): void => {
  if (values > MAX_VALUES) throw new AppError('invalid_request', 'the request holds too many values');
};

/** Below an object, lists and numbers are written out as JSON; elsewhere they may be lists of tokens. */
const IN_JSON = true;
const OUTSIDE_JSON = false;

const add = (value: unknown, sum: Sum, depth: number, isJson: boolean): void => {
  sum.values += 1;
  assertFew(sum);
  if (typeof value === 'string') addText(value, sum);
  else if (typeof value === 'number') {
    // Text given as token numbers (embeddings, old completions): one each.
    if (isJson) addText(numeralOf(value), sum);
    else sum.numbers += 1;
  } else if (Array.isArray(value)) {
    assertDepth(depth);
    if (isJson) sum.bytes += MARK_BYTES;
    for (const item of value)
      if (depth === 0 && typeof item === 'object' && item !== null) addPart(item as object, sum);
      else {
        const hasText = typeof item === 'string' || typeof item === 'number';
        if (isJson) sum.bytes += hasText ? 2 * MARK_BYTES : MARK_BYTES;
        add(item, sum, depth + 1, isJson);
      }
  } else if (typeof value === 'object' && value !== null) {
    assertDepth(depth);
    const isMedia = addMedia(value as Fields, sum);
    addFields(value as Fields, sum, depth, isMedia ? MEDIA_FIELDS : NOTHING);
  } else if (isJson) sum.bytes += MARK_BYTES;
};

/** What the marks around a value in JSON, or one of its words, count as: a token. */
const MARK_BYTES = HELD_BYTES_PER_TOKEN;

const addText = (text: string, sum: Sum): void => {
  const bytes = Buffer.byteLength(text);
  sum.bytes += bytes;
  const tokens = sum.closely === undefined ? safeTokens(text, bytes) : closeTokens(text) * sum.closely;
  sum.denser += tokens - bytes / HELD_BYTES_PER_TOKEN;
};

/** Names that bodies have again and again, with their bytes and tokens. */
const names = new Map<string, readonly [bytes: number, tokens: number]>();
const MOST_NAMES = 4096;
const MOST_NAME_LENGTH = 64;

const addName = (name: string, sum: Sum): void => {
  let size = names.get(name);
  if (size === undefined) {
    const bytes = Buffer.byteLength(name);
    size = [bytes, denserTokens(name, bytes)];
    if (names.size >= MOST_NAMES) names.clear();
    if (name.length <= MOST_NAME_LENGTH) names.set(name, size);
  }
  // Every part of a prompt has some markup: a message, a parameter, a call.
  sum.bytes += size[0] + MARK_BYTES;
  sum.denser += size[1] - size[0] / HELD_BYTES_PER_TOKEN;
};

/** Larger whole numbers are written here with an exponent, and elsewhere with all their digits. */
const MOST_PLAIN = 1e21;
/** So many digits of a number are read at most; it is infinite here from 309 on. */
const MOST_DIGITS = 4300;

const numeralOf = (value: number): string => {
  const size = Math.abs(value);
  if (size < MOST_PLAIN) return String(value);
  return '0'.repeat(Number.isFinite(size) ? Math.ceil(Math.log10(size)) + 2 : MOST_DIGITS);
};

/** Adds what a part has beside text. Returns whether it has. */
const addMedia = (part: Fields, sum: Sum): boolean => {
  const media = mediaOfPart(part);
  if (media === undefined) {
    sum.isNamed ||= part['type'] === 'item_reference' || part['type'] === 'container_upload';
    return false;
  }
  switch (media.kind) {
    case 'pictures':
      sum.pictures.push(...media.pictures);
      sum.mediaMost += media.pictures.length * PICTURE_MOST_TOKENS;
      break;
    case 'counted':
      sum.pages += media.pages;
      sum.letters += media.letters;
      sum.mediaMost += FILE_MOST_TOKENS;
      break;
    case 'film':
      sum.filmSeconds += media.film.seconds;
      sum.filmFrames += media.film.frames;
      sum.usualOfFilms += media.tokens;
      sum.mediaMost += FILE_MOST_TOKENS;
      break;
    case 'sound':
    case 'files':
      sum[media.kind] += media.tokens;
      sum.mediaMost += Math.max(media.tokens * DEAREST_MEDIA, media.kind === 'files' ? FILE_MOST_TOKENS : 0);
      sum.isNamed ||= media.isNamed;
      sum.isElsewhere ||= media.isElsewhere;
  }
  return true;
};

const NOTHING: ReadonlySet<string> = new Set();
const addFields = (value: Fields, sum: Sum, depth: number, without: ReadonlySet<string>): void => {
  for (const key in value) {
    if (without.has(key)) continue;
    // Some formats have pictures, sound and files in parts without a type.
    if (without === NOTHING && MEDIA_FIELDS.has(key) && typeof value[key] === 'string') sum.isNamed = true;
    addName(key, sum);
    if (key === 'cache_control') sum.isForAnHour ||= isForAnHour(value[key]);
    add(value[key], sum, depth + 1, IN_JSON);
  }
};

const assertDepth = (depth: number): void => {
  if (depth >= MAX_DEPTH)
    throw new AppError('invalid_request', `the request nests deeper than ${MAX_DEPTH} levels`);
};
