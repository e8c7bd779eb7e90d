import { type Fields, isFields } from '#core/json/fields.ts';
import { fileSize } from '../../document/file-size.ts';
import type { PagesAndLetters } from '../../document/pdf-size.ts';
import type { Picture } from '../../picture/picture-tokens.ts';
import { pictureSize } from '../../picture/picture-head.ts';
import { soundTokens } from '../../sound/sound-tokens.ts';

/** What a part of a prompt has beside text. */
export type Media =
  | { readonly kind: 'pictures'; readonly pictures: readonly Picture[] }
  /** A file whose pages and letters are known. */
  | ({ readonly kind: 'counted' } & PagesAndLetters)
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

/** Whether a file is named by an address or id. */
const isElsewhere = (part: Fields): boolean =>
  Object.values(part).some((value) =>
    isFields(value)
      ? value['file_id'] !== undefined || Object.values(value).some(isAddress)
      : value === part['file_id'] || isAddress(value),
  );

/** The longest string directly in the part: its base64 or its URL. */
const longestText = (part: Fields): string => {
  let longest = '';
  for (const value of Object.values(part)) {
    const texts = isFields(value) ? Object.values(value) : [value];
    for (const text of texts) if (typeof text === 'string' && text.length > longest.length) longest = text;
  }
  return longest;
};

const detailOf = (part: Fields): unknown => {
  const image = part['image_url'];
  return part['detail'] ?? (isFields(image) ? image['detail'] : undefined);
};

const soundOf = (part: Fields, data: string): number => {
  if (data.length < LEAST_DATA) return LEAST_SOUND;
  const { input_audio: asked } = part;
  return Math.max(LEAST_SOUND, soundTokens(data, isFields(asked) ? String(asked['format']) : ''));
};

const fileOf = (part: Fields): Media => {
  const data = longestText(part);
  const elsewhere = isElsewhere(part);
  const size = elsewhere || data === '' ? undefined : fileSize(data);
  if (size !== undefined) return { kind: 'counted', ...size };
  const isNamed = elsewhere || data.length < LEAST_DATA;
  // What was sent, and cannot be counted, may be as long as a file elsewhere: few bytes may be many pages.
  return { kind: 'files', tokens: usualTokens(data.length), isNamed, isElsewhere: true };
};

/** The pictures of a film that is sent as a list of them. */
const framesOf = ({ type, video }: Fields): readonly Picture[] | undefined =>
  type === 'video' && Array.isArray(video)
    ? video.map((frame) => ({ size: pictureSize(typeof frame === 'string' ? frame : ''), isLow: false }))
    : undefined;

/** The media of a part of a message; undefined for text, and for anything else. */
export const mediaOfPart = (part: Fields): Media | undefined => {
  const { type } = part;
  if (SOUNDS.has(type)) {
    const data = longestText(part);
    const isNamed = data.length < LEAST_DATA;
    return { kind: 'sound', tokens: soundOf(part, data), isNamed, isElsewhere: isElsewhere(part) };
  }
  if (isPicture(part)) {
    const isLow = detailOf(part) === 'low';
    return { kind: 'pictures', pictures: [{ size: pictureSize(longestText(part)), isLow }] };
  }
  if (type === 'document' ? isWritten(part) : !FILES.has(type)) return undefined;
  const pictures = framesOf(part);
  return pictures === undefined ? fileOf(part) : { kind: 'pictures', pictures };
};
