import type { ContentPart, Media } from '#core/chat/request.ts';
import { ownOf, fieldsOf, isFields, listOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { ownExtras } from './cache-mark.ts';
import { readVendorPart } from './vendor-parts.ts';
import { listedParts } from '../../listed-parts.ts';
import { readArguments } from '../../call-arguments.ts';
import { readMedia } from '../../openai/read-media.ts';
import { readSealed } from './signature.ts';

const AUDIO_TYPES: Readonly<Record<string, string>> = { mp3: 'audio/mpeg' };

const WORDS: ReadonlySet<unknown> = new Set(['text']);

/**
 * Reads a message's content: a text, or a list of parts. A part without a common form is stored whole as an extra. Throws
 * `invalid_request` for anything else; `param` is the name of the field.
 */
export const readContent = (content: unknown, param: string): ContentPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listedParts(content, param, WORDS).flatMap(readPart);
};

/** Some clients send every field: the type says which one counts. */
export const isCustom = (call: Fields): boolean =>
  isFields(call['custom']) &&
  (call['type'] === 'custom' || (call['type'] !== 'function' && !isFields(call['function'])));

const KNOWN_IN_CALL = new Set(['id', 'type', 'function', 'custom', 'index', 'extra_content']);

/** Reads an entry of `tool_calls`. Free text becomes `{"input": …}`, as other formats have it. */
export const readToolCall = (call: Fields): ContentPart => {
  const isFreeText = isCustom(call);
  const called = fieldsOf(isFreeText ? call['custom'] : call['function']);
  const others = otherFields(call, KNOWN_IN_CALL);
  return {
    type: 'tool-call',
    id: textOf(call['id']) ?? '',
    name: textOf(called['name']) ?? '',
    argumentsText: isFreeText
      ? JSON.stringify({ input: called['input'] ?? '' })
      : readArguments(called['arguments']),
    ...readSealed(readCallSignature(call)),
    ...(isFreeText && { isFreeText }),
    ...(others !== undefined && { extras: { 'openai-chat': others } }),
  };
};

/** The signature that Gemini's OpenAI-compatible API stores with a call. */
export const readCallSignature = (call: Fields): string | undefined =>
  textOf(fieldsOf(fieldsOf(call['extra_content'])['google'])['thought_signature']);

const readPart = (part: Fields): ContentPart[] => {
  switch (part['type']) {
    case 'text':
      return [{ type: 'text', text: textOf(part['text']) ?? '', ...others(part, 'text') }];
    case 'refusal':
      return [{ type: 'refusal', text: textOf(part['refusal']) ?? '' }];
    case 'image_url':
      return readImage(part);
    case 'input_audio':
      return typeof part['input_audio'] === 'string' ? readOther(part) : readAudio(part);
    case 'file':
      return readFile(part);
    case 'thinking':
      return [{ type: 'reasoning', text: readThinking(part['thinking']) }];
    default:
      return readOther(part);
  }
};

const readOther = (part: Fields): ContentPart[] => [readVendorPart(part) ?? unknownPart(part)];

/** Mistral's thinking is a list of text parts. */
export const readThinking = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : listOf(value)
        .map((part) => textOf(fieldsOf(part)['text']) ?? '')
        .join('');

const readImage = (part: Fields): ContentPart[] => {
  const image =
    typeof part['image_url'] === 'string' ? { url: part['image_url'] } : fieldsOf(part['image_url']);
  const url = textOf(image['url']);
  if (url === undefined) return [unknownPart(part)];
  const detail = textOf(image['detail']);
  return [
    {
      type: 'image',
      media: readMedia(url),
      ...(detail !== undefined && { detail }),
      ...others(part, 'image_url'),
    },
  ];
};

const readAudio = (part: Fields): ContentPart[] => {
  const audio = fieldsOf(part['input_audio']);
  const data = textOf(audio['data']);
  const format = textOf(audio['format']) ?? 'wav';
  if (data === undefined) return [unknownPart(part)];
  const media: Media = { from: 'base64', data, mediaType: ownOf(AUDIO_TYPES, format) ?? `audio/${format}` };
  return [{ type: 'audio', media, ...others(part, 'input_audio') }];
};

const readFile = (part: Fields): ContentPart[] => {
  const file = fieldsOf(part['file']);
  const fileId = textOf(file['file_id']);
  const data = textOf(file['file_data']);
  const name = textOf(file['filename']);
  if (fileId === undefined && data === undefined) return [unknownPart(part)];
  const media: Media = data === undefined ? { from: 'file-id', fileId: fileId ?? '' } : readFileData(data);
  return [
    {
      type: 'file',
      media,
      ...(name !== undefined && { name }),
      // Some upstreams of this format accept a URL here, so a caller's URL is passed on.
      ...(media.from === 'url' ? ownExtras(otherFields(part, TYPE)) : others(part, 'file')),
    },
  ];
};

const TYPE = new Set(['type']);

const readFileData = (data: string): Media =>
  /^(?:data:|https?:)/.test(data) ? readMedia(data) : { from: 'base64', data, mediaType: 'application/pdf' };

const unknownPart = (part: Fields): ContentPart => ({
  type: 'text',
  text: '',
  extras: { 'openai-chat': part },
});

const others = (part: Fields, key: string): ReturnType<typeof ownExtras> =>
  ownExtras(otherFields(part, new Set(['type', key])));
