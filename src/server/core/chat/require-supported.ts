import { AppError } from '../error.ts';
import { onlyFormatOf } from './only-format.ts';
import { messageField } from './places.ts';
import type { ChatRequest, ContentPart, Message } from './request.ts';
import { fieldsOf, wordOf } from '../json/fields.ts';

/** Throws `invalid_request`, naming the field, if the request needs something an upstream of `dialect` cannot do. */
export const requireSupported = (request: ChatRequest, dialect: string): void => {
  const onlyIn = request.onlyIn?.find(({ dialects }) => !dialects.some((name) => name === dialect));
  if (onlyIn === undefined) return;
  throw new AppError('invalid_request', onlyIn.message, {
    param: onlyIn.param,
    reason: 'unsupported_parameter',
  });
};

const MOST_STOPS = 16;
const LONGEST_STOP = 256;

/** Throws `invalid_request` if there are too many stop sequences to search every chunk for. */
export const requireFewStops = ({ stop = [] }: Pick<ChatRequest, 'stop'>): void => {
  if (stop.length <= MOST_STOPS && stop.every(({ length }) => length <= LONGEST_STOP)) return;
  const most = `${MOST_STOPS} of up to ${LONGEST_STOP} characters`;
  throw new AppError('invalid_request', `'stop': this model takes at most ${most}`, {
    param: 'stop',
    reason: 'unsupported_parameter',
  });
};

/** Throws `invalid_request` if several answers are wanted from an upstream that gives one to a request. */
export const requireOneAnswer = (
  { choices = 1 }: Pick<ChatRequest, 'choices'>,
  message = `'n': this model gives one answer to a request, not ${choices}`,
): void => {
  if (choices === 1) return;
  throw new AppError('invalid_request', message, { param: 'n', reason: 'unsupported_parameter' });
};

/** Throws `invalid_request` if pictures are wanted from an upstream that answers only in text. */
export const requireTextAnswer = (
  { imagesAskedBy }: Pick<ChatRequest, 'imagesAskedBy'>,
  why = 'this model answers in words, not in pictures',
): void => {
  if (imagesAskedBy === undefined) return;
  throw new AppError('invalid_request', `'${imagesAskedBy}': ${why}`, {
    param: imagesAskedBy,
    reason: 'unsupported_parameter',
  });
};

/**
 * Throws `invalid_request`, naming the message, for a part that `dialect` cannot express. What a user, a tool or the
 * instructions said must arrive or be refused; a part of an earlier answer may be dropped.
 */
export const requireSupportedParts = (messages: readonly Message[], dialect: string): void => {
  for (const [index, message] of messages.entries()) {
    const { role, content } = message;
    if (role === 'assistant') continue;
    for (const { extras } of content.flatMap((part) =>
      part.type === 'tool-result' ? part.content : [part],
    )) {
      const holder = onlyFormatOf(extras);
      if (holder === undefined || holder === dialect) continue;
      const { type: word, part } = fieldsOf(extras?.[holder]);
      // A part of Gemini's has no type: its first field says what it is.
      const type = Object.keys(fieldsOf(part))[0] ?? wordOf(word);
      const param = messageField(message, index);
      const why = `'${param}' holds a part of type '${type}', which only exists in the ${holder} format`;
      throw new AppError('invalid_request', why, { param, reason: 'unsupported_content' });
    }
  }
};

/** Formats whose instructions may hold pictures and files. */
const SHOWS_INSTRUCTIONS = 'openai-responses';

/** Throws `invalid_request`, naming the message, for a picture or a file in the instructions if `dialect` takes texts alone. */
export const requireWrittenInstructions = (messages: readonly Message[], dialect: string): void => {
  if (dialect === SHOWS_INSTRUCTIONS) return;
  for (const [index, message] of messages.entries()) {
    const { role, content } = message;
    if ((role !== 'system' && role !== 'developer') || content.every(({ type }) => type === 'text')) continue;
    const param = messageField(message, index);
    const why = `'${param}' holds more than words, and this model takes instructions in words alone`;
    throw new AppError('invalid_request', why, { param, reason: 'unsupported_content' });
  }
};

/** Throws `invalid_request`, naming the message, for a video if the upstream does not take videos. */
export const requireNoVideos = (messages: readonly Message[]): void => {
  for (const [index, message] of messages.entries()) {
    const parts = message.content.flatMap((part) => (part.type === 'tool-result' ? part.content : [part]));
    if (!parts.some(isFilm)) continue;
    const param = messageField(message, index);
    throw new AppError('invalid_request', `'${param}' contains a video, which this model does not take`, {
      param,
      reason: 'unsupported_content',
    });
  }
};

/** Google accepts these URLs without a media type. */
const FILM_PLACE = /^https?:\/\/(?:(?:www\.|m\.)?youtube\.com\/(?:watch|shorts|live)|youtu\.be\/)/i;

const isFilm = (part: ContentPart): boolean => {
  if (part.type !== 'file' || part.media.from === 'file-id') return false;
  const { mediaType } = part.media;
  if (mediaType?.startsWith('video/') === true) return true;
  return part.media.from === 'url' && mediaType === undefined && FILM_PLACE.test(part.media.url);
};
