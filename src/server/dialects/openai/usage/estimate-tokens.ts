import { AppError } from '#core/error.ts';
import { type Fields, isFields } from '#core/json/fields.ts';
import { isSharedPart } from '#core/json/known-parts.ts';
import { soundTokens } from '../../sound/sound-tokens.ts';

const MAX_DEPTH = 64;
const MAX_VALUES = 2_000_000;
/** Hardly any text has more than a token per two UTF-8 bytes: prose has one per four, CJK one per two to three. */
const BYTES_PER_TOKEN = 2;

/** Some models count twenty times what others do for the same picture, page or second. */
export const DEAREST_MEDIA = 20;

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
  /** How many pictures are asked for in low detail, which only some makers know. */
  readonly lowPictures: number;
  /** The most that any model can count: a token for each byte. Undefined if part of it is only named and not sent. */
  readonly most: number | undefined;
  /** It names a file by its address, which may fill the model's context. */
  readonly isElsewhere: boolean;
  /** Part of it is to be kept in a cache for an hour. */
  readonly isForAnHour: boolean;
}

/** Whether a cache mark of the Messages format, which routers to Claude know too, asks for an hour. */
export const isForAnHour = (mark: unknown): boolean => isFields(mark) && mark['ttl'] === '1h';

/**
 * Measures any part of a request. Linear; throws `invalid_request` if it is nested too deep or has too many values. Used
 * for the hold and to tell what an upstream's report cannot be, never for billing.
 */
export const measurePrompt = (value: unknown): PromptSize => {
  const sum = newSum();
  add(value, sum, 0);
  const { bytes, numbers, files, pictures, sound, isNamed } = sum;
  const media = files + pictures + sound;
  return {
    tokens: Math.ceil(bytes / BYTES_PER_TOKEN) + numbers + media,
    sound,
    pictures,
    lowPictures: sum.lowPictures,
    most: isNamed ? undefined : bytes + numbers + sum.mediaMost,
    isElsewhere: sum.isElsewhere,
    isForAnHour: sum.isForAnHour,
  };
};

/** The upper estimate alone. */
export const estimateTokens = (value: unknown): number => measurePrompt(value).tokens;

interface Sum {
  bytes: number;
  /** Text given as token numbers. */
  numbers: number;
  /** The tokens of media. */
  files: number;
  pictures: number;
  lowPictures: number;
  sound: number;
  /** What no model counts more for files, pictures and sound. */
  mediaMost: number;
  values: number;
  /** Some of it is named by an id or address, and may be of any size. */
  isNamed: boolean;
  /** One of its files is. */
  isElsewhere: boolean;
  isForAnHour: boolean;
}

const newSum = (): Sum => ({
  bytes: 0,
  numbers: 0,
  files: 0,
  pictures: 0,
  lowPictures: 0,
  sound: 0,
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
  let own = known.get(part);
  if (own === undefined) {
    if (!isSharedPart(part)) return add(part, sum, 1);
    const counted = newSum();
    add(part, counted, 1);
    known.set(part, (own = counted));
  }
  sum.bytes += own.bytes;
  sum.numbers += own.numbers;
  sum.files += own.files;
  sum.pictures += own.pictures;
  sum.lowPictures += own.lowPictures;
  sum.sound += own.sound;
  sum.mediaMost += own.mediaMost;
  sum.values += own.values;
  sum.isNamed ||= own.isNamed;
  sum.isElsewhere ||= own.isElsewhere;
  sum.isForAnHour ||= own.isForAnHour;
  assertFew(sum);
};

const assertFew = ({ values }: Sum): void => {
  if (values > MAX_VALUES) throw new AppError('invalid_request', 'the request holds too many values');
};

const add = (value: unknown, sum: Sum, depth: number): void => {
  sum.values += 1;
  assertFew(sum);
  if (typeof value === 'string') {
    sum.bytes += Buffer.byteLength(value);
  } else if (typeof value === 'number') {
    // Text given as token numbers (embeddings, old completions): one each.
    sum.numbers += 1;
  } else if (Array.isArray(value)) {
    assertDepth(depth);
    for (const item of value)
      if (depth === 0 && typeof item === 'object' && item !== null) addPart(item as object, sum);
      else add(item, sum, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    assertDepth(depth);
    const kind = kindOf(value as Fields);
    const media = kind === 'sound' ? soundOf(value as Fields) : mediaTokens(value as Fields);
    if (media !== undefined) addMedia(kind, media, sum);
    sum.isNamed ||= isNamed(value as Fields, media);
    sum.isElsewhere ||= media !== undefined && kind !== 'pictures' && isElsewhere(value as Fields);
    addFields(value as Fields, sum, depth, media === undefined ? NOTHING : MEDIA_FIELDS);
  }
};

const addMedia = (kind: MediaKind, tokens: number, sum: Sum): void => {
  sum[kind] += tokens;
  if (kind === 'pictures' && tokens === LOW_DETAIL_TOKENS) sum.lowPictures += 1;
  const usual = kind === 'pictures' ? PICTURE_TOKENS : tokens;
  sum.mediaMost += Math.max(usual * DEAREST_MEDIA, kind === 'files' ? FILE_MOST_TOKENS : 0);
};

const NOTHING: ReadonlySet<string> = new Set();
/** Fields for data that is not text. Fields beside them may be text. */
const MEDIA_FIELDS: ReadonlySet<string> = new Set([
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

const addFields = (value: Fields, sum: Sum, depth: number, without: ReadonlySet<string>): void => {
  for (const key in value) {
    if (without.has(key)) continue;
    // Some formats have pictures, sound and files in parts without a type.
    if (without === NOTHING && MEDIA_FIELDS.has(key) && typeof value[key] === 'string') sum.isNamed = true;
    // Every part of a prompt has some markup: a message, a parameter, a call.
    sum.bytes += key.length + 2;
    if (key === 'cache_control') sum.isForAnHour ||= isForAnHour(value[key]);
    add(value[key], sum, depth + 1);
  }
};

const SOUNDS: ReadonlySet<unknown> = new Set(['input_audio', 'audio_url']);
const PICTURES: ReadonlySet<unknown> = new Set(['image_url', 'input_image', 'image', 'computer_screenshot']);

/** Of pictures drawn in a turn before, only one that is sent back whole is one. A mask has no type. */
const isPicture = ({ type, image_url: url, result }: Fields): boolean => {
  if (type === 'image_generation_call') return typeof result === 'string';
  if (type === undefined) return typeof url === 'string' && url.startsWith('data:image/');
  return PICTURES.has(type);
};

type MediaKind = 'sound' | 'pictures' | 'files';

const kindOf = (part: Fields): MediaKind => {
  if (SOUNDS.has(part['type'])) return 'sound';
  return isPicture(part) ? 'pictures' : 'files';
};

/** Sound that is elsewhere may be of any length; this is a quarter of a minute. */
const LEAST_SOUND = 500;

const soundOf = (part: Fields): number => {
  const data = longestText(part);
  if (data.length < LEAST_DATA) return LEAST_SOUND;
  const { input_audio: asked } = part;
  return Math.max(LEAST_SOUND, soundTokens(data, isFields(asked) ? String(asked['format']) : ''));
};

export const PICTURE_TOKENS = 2000;
export const LOW_DETAIL_TOKENS = 100;

/** Tokens of pictures and files by type; undefined for anything else. */
const mediaTokens = (part: Fields): number | undefined => {
  if (isPicture(part)) return detailOf(part) === 'low' ? LOW_DETAIL_TOKENS : PICTURE_TOKENS;
  switch (part['type']) {
    case 'document':
      return documentTokens(part);
    case 'file':
    case 'input_file':
    case 'document_url':
    case 'video_url':
    case 'video':
      return Math.max(5000, Math.ceil(dataLength(part) / 20));
    default:
      return undefined;
  }
};

/** No file is shorter; a shorter text names a file elsewhere. */
const LEAST_DATA = 2000;

/** Whether a part stands for something that was not sent along. A picture does too, but has a size of its own. */
const isNamed = (part: Fields, media: number | undefined): boolean => {
  const type = part['type'];
  if (media === undefined) return type === 'item_reference' || type === 'container_upload';
  return !isPicture(part) && dataLength(part) < LEAST_DATA;
};

const ADDRESS = /^\s*(?:https?|gs|s3|oss):/i;

/** Whether a file is named by an address or id. */
const isElsewhere = (part: Fields): boolean =>
  Object.values(part).some((value) =>
    isFields(value)
      ? value['file_id'] !== undefined || Object.values(value).some(isAddress)
      : value === part['file_id'] || isAddress(value),
  );

const isAddress = (text: unknown): boolean => typeof text === 'string' && ADDRESS.test(text);

/** A document of the Messages format may be plain text, which counts as text. */
const documentTokens = (part: Fields): number | undefined => {
  const source = part['source'];
  const isText = typeof source === 'object' && source !== null && (source as Fields)['type'] === 'text';
  return isText ? undefined : Math.max(5000, Math.ceil(dataLength(part) / 20));
};

const detailOf = (part: Fields): unknown => {
  const image = part['image_url'];
  return (
    part['detail'] ?? (typeof image === 'object' && image !== null ? (image as Fields)['detail'] : undefined)
  );
};

/** The longest string directly in the part: its base64 or its URL. */
const longestText = (part: Fields): string => {
  let longest = '';
  for (const value of Object.values(part)) {
    const texts = isFields(value) ? Object.values(value) : [value];
    for (const text of texts) if (typeof text === 'string' && text.length > longest.length) longest = text;
  }
  return longest;
};

const dataLength = (part: Fields): number => longestText(part).length;

const assertDepth = (depth: number): void => {
  if (depth >= MAX_DEPTH)
    throw new AppError('invalid_request', `the request nests deeper than ${MAX_DEPTH} levels`);
};
