import { type Fields, isFields } from '#core/json/fields.ts';
import { fileSize } from '../../document/file-size.ts';
import { type FilmSize, filmSize } from '../../document/film-length.ts';
import type { PagesAndLetters } from '../../document/pdf-size.ts';
import type { Picture } from '../../picture/picture-tokens.ts';
import { pictureSize } from '../../picture/picture-head.ts';
import { soundTokens } from '../../sound/sound-tokens.ts';

/** What a part of a prompt has beside text. */
export type Media =
  | { readonly kind: 'pictures'; readonly pictures: readonly Picture[] }
  /** A file whose pages and letters are known. */
  | ({ readonly kind: 'counted' } & PagesAndLetters)
  /** A film whose length is known. `tokens`: what such films usually have. */
  | { readonly kind: 'film'; readonly film: FilmSize; readonly tokens: number }
  | {
      readonly kind: 'sound' | 'files';
      /** Of a film, or of a file that cannot be counted: what such files usually have. */
      readonly tokens: number;
      /** It may be of any size. */
      readonly isNamed: boolean;
      readonly isElsewhere: boolean;
    };

const SOUNDS: ReadonlySet<unknown> = new Set(['input_audio', 'audio_url']);
const PICTURES: ReadonlySet<unknown> = new Set(['image_url', 'input_image', 'image', 'computer_screenshot']);
const FILES: ReadonlySet<unknown> = new Set(['file', 'input_file', 'document_url', 'video_url', 'video']);

/** Of pictures drawn in a turn before, only one that is sent back whole is one. A mask has no type. */
const isPicture = ({ type, image_url: url, result }: Fields): boolean => {
  if (type === 'image_generation_call') return typeof result === 'string';
  if (type === undefined) return typeof url === 'string' && url.startsWith('data:image/');
  return PICTURES.has(type);
};

/** A document of the Messages format may be plain text, or parts of which each is what it is. */
const isWritten = ({ source }: Fields): boolean =>
  isFields(source) && (source['type'] === 'text' || source['type'] === 'content');

/** No file of sound or film is shorter; a shorter text names one elsewhere. */
const LEAST_DATA = 2000;
/** Sound that is elsewhere may be of any length; this is a quarter of a minute. */
const LEAST_SOUND = 500;
const LEAST_FILE = 5000;
const CHARACTERS_PER_TOKEN = 20;

/** What a film, or a file that cannot be counted, usually has by the length of its base64. */
export const usualTokens = (characters: number): number =>
  Math.max(LEAST_FILE, Math.ceil(characters / CHARACTERS_PER_TOKEN));

const ADDRESS = /^\s*(?:https?|gs|s3|oss):/i;

const isAddress = (text: unknown): boolean => typeof text === 'string' && ADDRESS.test(text);

/** Fields for data that is not text. Fields beside them may be text. */
export const MEDIA_FIELDS: ReadonlySet<string> = new Set([
  'image_url',
  'document_url',
  'image',
  'input_audio',
  'audio_url',
  'source',
  'file',
  'file_data',
  'file_id',
  'file_url',
  'video_url',
  'video',
  'result',
]);
/** What stands beside data in one object, and is none. */
const WORDS: ReadonlySet<string> = new Set(['filename', 'name', 'title']);

/** No file is shorter, in base64. */
const SHORTEST = 43;

const isData = (text: unknown): text is string =>
  typeof text === 'string' && (text.length >= SHORTEST || isAddress(text));

/**
 * All that an upstream may take for the data of a part, base64 or addresses: one of two could be there to hide the
 * other. Words beside it, such as the name of a file, are none.
 */
const dataOf = (part: Fields): readonly string[] => {
  const all: string[] = [];
  for (const field of MEDIA_FIELDS) {
    const value = part[field];
    if (isData(value)) all.push(value);
    else if (isFields(value))
      for (const [name, inner] of Object.entries(value))
        if (isData(inner) && !WORDS.has(name)) all.push(inner);
  }
  return all.length > 0 ? all : [longestText(part)];
};

/** Whether a file is named by an address or id. */
const isElsewhere = (part: Fields, data: readonly string[]): boolean =>
  data.some(isAddress) ||
  [part, ...Object.values(part).filter(isFields)].some(({ file_id: id = null }) => id !== null);

/** The longest string in a part of a shape that is not known. */
const longestText = (part: Fields): string => {
  let longest = '';
  for (const value of Object.values(part)) {
    const texts = isFields(value) ? Object.values(value) : [value];
    for (const text of texts) if (typeof text === 'string' && text.length > longest.length) longest = text;
  }
  return longest;
};

/** OpenAI's two formats have it in two places, each of which ignores the other's. */
const isLow = ({ type, detail, image_url: image }: Fields): boolean => {
  const inside = isFields(image) ? image['detail'] : undefined;
  return type === 'image_url' ? inside === 'low' : detail === 'low' && (inside ?? detail) === 'low';
};

/** A picture for each of the data that may be one, or one of unknown size. */
const picturesOf = (part: Fields): readonly Picture[] => {
  const low = isLow(part);
  const data = dataOf(part);
  const seen = data.flatMap((one) => pictureSize(one) ?? []);
  const pictures = seen.map((size) => ({ size, isLow: low }));
  const isUnknown = seen.length === 0 || data.some(isAddress);
  return isUnknown ? [...pictures, { size: undefined, isLow: low }] : pictures;
};

const soundOf = (part: Fields): Media => {
  const data = dataOf(part);
  const { input_audio: asked } = part;
  const format = isFields(asked) ? String(asked['format']) : '';
  // Silence may be packed to a few bytes a second.
  const tokens = data.reduce((sum, one) => sum + (isAddress(one) ? 0 : soundTokens(one, format)), 0);
  return {
    kind: 'sound',
    tokens: Math.max(LEAST_SOUND, tokens),
    isNamed: data.every(({ length }) => length < LEAST_DATA),
    isElsewhere: isElsewhere(part, data),
  };
};

const fileOf = (part: Fields): Media => {
  const data = dataOf(part);
  const length = data.reduce((sum, one) => sum + one.length, 0);
  const elsewhere = isElsewhere(part, data);
  const size = elsewhere || length === 0 ? undefined : sizeOfAll(data);
  if (size !== undefined) return { kind: 'counted', ...size };
  const [only, ...others] = data;
  const film =
    elsewhere || only === undefined || others.length > 0 ? undefined : filmSize(only, askedRates(part));
  if (film !== undefined) return { kind: 'film', film, tokens: usualTokens(length) };
  const isNamed = elsewhere || length < LEAST_DATA;
  // What was sent, and cannot be counted, may be as long as a file elsewhere: few bytes may be many pages.
  return { kind: 'files', tokens: usualTokens(length), isNamed, isElsewhere: true };
};

/** How many pictures a second are asked for, wherever that is said. */
const askedRates = (part: Fields): readonly unknown[] =>
  [part, ...Object.values(part).filter(isFields)].map(({ fps }) => fps);

const sizeOfAll = (data: readonly string[]): PagesAndLetters | undefined => {
  let [pages, letters] = [0, 0];
  for (const one of data) {
    const size = fileSize(one);
    if (size === undefined) return undefined;
    pages += size.pages;
    letters += size.letters;
  }
  return { pages, letters };
};

/** The pictures of a film that is sent as a list of them. */
const framesOf = ({ type, video }: Fields): readonly Picture[] | undefined =>
  type === 'video' && Array.isArray(video)
    ? video.map((frame) => ({ size: pictureSize(typeof frame === 'string' ? frame : ''), isLow: false }))
    : undefined;

/** The media of a part of a message; undefined for text, and for anything else. */
export const mediaOfPart = (part: Fields): Media | undefined => {
  const { type } = part;
  if (type === undefined && part['image_url'] === undefined) return undefined;
  if (SOUNDS.has(type)) return soundOf(part);
  if (isPicture(part)) return { kind: 'pictures', pictures: picturesOf(part) };
  if (type === 'document' ? isWritten(part) : !FILES.has(type)) return undefined;
  const pictures = framesOf(part);
  return pictures === undefined ? fileOf(part) : { kind: 'pictures', pictures };
};
