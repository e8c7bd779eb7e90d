import { onlyFormatOf } from '#core/chat/only-format.ts';
import type { ContentPart, Media } from '#core/chat/request.ts';
import { usualMediaType } from '#core/chat/usual-media-type.ts';
import { AppError } from '#core/error.ts';
import { parseExactObject } from '#core/json/exact.ts';
import { isFields, type Fields } from '#core/json/fields.ts';
import { ownSignature } from './signature.ts';

type Call = Extract<ContentPart, { type: 'tool-call' }>;
type Result = Extract<ContentPart, { type: 'tool-result' }>;

/** Media types for URLs without one: this format requires it. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
};
const BY_KIND = { image: 'image/jpeg', audio: 'audio/wav', file: 'application/pdf' } as const;

/** Function names by call id: results here name their function. */
export type CallNamesById = ReadonlyMap<string, string>;

/** Writes a part for an upstream of this format; leaves out what only other formats can express. */
export const writePart = (part: ContentPart, names: CallNamesById): Fields[] => {
  const extras = part.extras?.gemini;
  if (extras?.['type'] === 'part' && isFields(extras['part'])) return [extras['part']];
  switch (part.type) {
    case 'text':
      // Parts that only another format can express are left out.
      return onlyFormatOf(part.extras) !== undefined ? [] : [{ ...extras, text: part.text }];
    case 'refusal':
      return [{ text: part.text }];
    case 'reasoning':
      return writeThought(part);
    case 'image':
    case 'audio':
      return [{ ...extras, ...writeMedia(part.media, BY_KIND[part.type]) }];
    case 'file':
      return [{ ...extras, ...writeMedia(part.media, BY_KIND.file, part.name) }];
    case 'tool-call':
      return [{ functionCall: writeCall(part), ...ownSignature(part) }];
    case 'tool-result':
      return [{ functionResponse: writeResult(part, names) }];
  }
};

/** Thoughts go back only with a signature of this format; without one they serve no purpose. */
const writeThought = (part: Extract<ContentPart, { type: 'reasoning' }>): Fields[] => {
  const signed = ownSignature(part);
  if (part.redacted !== undefined) return [];
  if (signed['thoughtSignature'] === undefined && part.signature !== undefined) return [];
  return [{ ...part.extras?.gemini, text: part.text, thought: true, ...signed }];
};

/** Writes a call with its arguments as an object; text that is not an object becomes `{arguments: text}`. */
export const writeCall = (call: Pick<Call, 'id' | 'name' | 'argumentsText'>): Fields => ({
  ...(call.id !== '' && { id: call.id }),
  name: call.name,
  args:
    parseExactObject(call.argumentsText) ??
    (call.argumentsText.trim() === '' ? {} : { arguments: call.argumentsText }),
});

const writeResult = (result: Result, names: CallNamesById): Fields => {
  const { response: kept, ...others } = result.extras?.gemini ?? {};
  const text = result.content
    .flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : []))
    // Texts of a result are apart: joined, the end of one and the beginning of the next would be one word.
    .join('\n');
  const media = result.content.filter((part) => part.type !== 'text' && part.type !== 'refusal');
  const parts = media.flatMap((part) => writePart(part, names));
  const key = result.isError === true ? 'error' : 'output';
  return {
    ...others,
    ...(result.callId !== '' && { id: result.callId }),
    name: names.get(result.callId) ?? result.name ?? result.callId,
    response: kept ?? (text === '' && result.isError !== true ? {} : { [key]: text }),
    ...(parts.length > 0 && { parts }),
  };
};

/** Inline bytes, or a URL; a file id is valid only where the file was uploaded. */
export const writeMedia = (media: Media, usualType: string, name?: string): Fields => {
  const displayName = name === undefined ? {} : { displayName: name };
  switch (media.from) {
    case 'base64':
      return {
        inlineData: { mimeType: usualMediaType(media.mediaType), data: media.data, ...displayName },
      };
    case 'url':
      return {
        fileData: {
          mimeType: media.mediaType ?? typeOfAddress(media.url, usualType),
          fileUri: media.url,
          ...displayName,
        },
      };
    case 'file-id':
      throw new AppError(
        'invalid_request',
        'file_id: a file uploaded to another provider cannot be sent to this model; send its bytes or address',
        { param: 'file_id' },
      );
  }
};

const typeOfAddress = (url: string, usualType: string): string => {
  const extension = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? usualType;
};
