import type { ContentPart, Extras, Media } from '#core/chat/request.ts';
import { fieldsOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { listedParts } from '../../listed-parts.ts';
import { readMedia } from '../../openai/read-media.ts';

const WORDS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text']);

/**
 * Reads the content of an item: a text or a list of parts. An unknown part is kept whole as an extra. Throws
 * `invalid_request` for anything else; `param` is the name of the field.
 */
export const readContent = (content: unknown, param: string): ContentPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listedParts(content, param, WORDS).map(readPart);
};

/** Extras of this format, if any. */
export const ownExtras = (fields: Fields | undefined): { readonly extras?: Extras } =>
  fields === undefined ? {} : { extras: { 'openai-responses': fields } };

const readPart = (part: Fields): ContentPart => {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return {
        type: 'text',
        text: textOf(part['text']) ?? '',
        ...others(part, 'text'),
      };
    case 'refusal':
      return { type: 'refusal', text: textOf(part['refusal']) ?? '', ...others(part, 'refusal') };
    case 'input_image':
      return readImage(part);
    case 'input_file':
      return readFile(part);
    case 'input_audio':
      return readAudio(part);
    default:
      return unknownPart(part);
  }
};

const readImage = (part: Fields): ContentPart => {
  const url = textOf(part['image_url']);
  const fileId = textOf(part['file_id']);
  if (url === undefined && fileId === undefined) return unknownPart(part);
  const detail = textOf(part['detail']);
  return {
    type: 'image',
    media: url === undefined ? { from: 'file-id', fileId: fileId ?? '' } : readMedia(url),
    ...(detail !== undefined && { detail }),
    ...others(part, 'image_url', 'file_id', 'detail'),
  };
};

const readFile = (part: Fields): ContentPart => {
  const fileId = textOf(part['file_id']);
  const url = textOf(part['file_url']);
  const data = textOf(part['file_data']);
  const name = textOf(part['filename']);
  let media: Media;
  if (data !== undefined) media = readFileData(data);
  else if (url !== undefined) media = { from: 'url', url };
  else if (fileId !== undefined) media = { from: 'file-id', fileId };
  else return unknownPart(part);
  return {
    type: 'file',
    media,
    ...(name !== undefined && { name }),
    ...others(part, 'file_id', 'file_url', 'file_data', 'filename'),
  };
};

const readAudio = (part: Fields): ContentPart => {
  const { data, format } = fieldsOf(part['input_audio']);
  if (typeof data !== 'string') return unknownPart(part);
  const mediaType = format === 'mp3' ? 'audio/mpeg' : `audio/${textOf(format) ?? 'wav'}`;
  return { type: 'audio', media: { from: 'base64', data, mediaType }, ...others(part, 'input_audio') };
};

/** `file_data` is a data URL; some send the bare base64 of a PDF. */
const readFileData = (data: string): Media =>
  data.startsWith('data:') ? readMedia(data) : { from: 'base64', data, mediaType: 'application/pdf' };

const unknownPart = (part: Fields): ContentPart => ({ type: 'text', text: '', ...ownExtras(part) });

const others = (part: Fields, ...known: readonly string[]): { readonly extras?: Extras } =>
  ownExtras(otherFields(part, new Set(['type', ...known])));
