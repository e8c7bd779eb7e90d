import { onlyFormatOf } from '#core/chat/only-format.ts';
import type { ContentPart, DialectName, Media } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { ownOf, type Fields, isFields } from '#core/json/fields.ts';
import { readFreeText } from '../../openai/tools/free-text.ts';
import { writeVendorPart } from './vendor-parts.ts';
import { writeSealed } from './signature.ts';
import { writeArguments } from '../../call-arguments.ts';

/** Writes parts as the content of a message; a single plain text is written as a string. Undefined where nothing is left. */
export const writeContent = (parts: readonly ContentPart[]): string | Fields[] | undefined => {
  const [only] = parts;
  if (only === undefined) return undefined;
  if (
    parts.length === 1 &&
    only.type === 'text' &&
    only.extras?.['openai-chat'] === undefined &&
    only.text !== ''
  )
    return only.text;
  return parts.flatMap(writePart);
};

/** Writes an entry of `tool_calls`; as free text only where `customTools` has the tool. */
export const writeToolCall = (
  call: Extract<ContentPart, { type: 'tool-call' }>,
  customTools: ReadonlySet<string>,
): Fields => ({
  ...call.extras?.['openai-chat'],
  id: call.id,
  ...(call.isFreeText === true && customTools.has(call.name)
    ? { type: 'custom', custom: { name: call.name, input: readFreeText(call.argumentsText) } }
    : { type: 'function', function: { name: call.name, arguments: writeArguments(call.argumentsText) } }),
  // A signature goes back only to upstreams of the format that made it.
  ...(call.signatureFrom === undefined && writeCallSignature(call)),
});

/** The signature of a thought, where Google's chat format keeps it. */
export const writeCallSignature = (signed: {
  readonly signature?: string;
  readonly signatureFrom?: DialectName;
}): Fields => {
  const { signature } = writeSealed(signed);
  return signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
};

const writePart = (part: ContentPart): Fields[] => {
  const extras = part.extras?.['openai-chat'] ?? {};
  // The extras of an unknown part have the whole of it.
  if (extras['type'] !== undefined) return [extras];
  switch (part.type) {
    case 'text':
      // Parts of another format are dropped; most are searches that its upstream ran.
      return onlyFormatOf(part.extras) === undefined ? [{ ...extras, type: 'text', text: part.text }] : [];
    case 'refusal':
      return [{ ...extras, type: 'refusal', refusal: part.text }];
    case 'image':
      if (part.media.from === 'file-id') throw unsayableFile();
      return [
        {
          ...extras,
          type: 'image_url',
          image_url: {
            url: writeMedia(part.media),
            ...(part.detail !== undefined && { detail: part.detail }),
          },
        },
      ];
    case 'audio':
      return [writeVendorPart(part) ?? { ...extras, ...writeSound(part.media) }];
    case 'file':
      return [
        writeVendorPart(part) ?? {
          ...extras,
          type: 'file',
          file: isFields(extras['file']) ? extras['file'] : writeFile(part.media, part.name),
        },
      ];
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return [];
  }
};

const writeSound = (media: Media): Fields => {
  if (media.from === 'base64')
    return { type: 'input_audio', input_audio: { data: media.data, format: audioFormat(media.mediaType) } };
  throw new AppError(
    'invalid_request',
    'input_audio: this model takes sound by its bytes, not by its address',
    {
      param: 'input_audio',
      reason: 'unsupported_content',
    },
  );
};

const unsayableFile = (): AppError =>
  new AppError('invalid_request', 'file_id: this model takes pictures by their bytes or address alone', {
    param: 'file_id',
    reason: 'unsupported_content',
  });

/** OpenAI reads files by their bytes: an address would be taken for bytes that cannot be read. */
const filesByBytes = (): AppError =>
  new AppError('invalid_request', "'file': this model takes files by their bytes, not by their address", {
    param: 'file',
    reason: 'unsupported_content',
  });

const writeFile = (media: Media, name: string | undefined): Fields => {
  if (media.from === 'url') throw filesByBytes();
  return {
    ...(media.from === 'file-id' ? { file_id: media.fileId } : { file_data: writeMedia(media) }),
    // OpenAI refuses a file without a name.
    ...((name !== undefined || media.from !== 'file-id') && { filename: name ?? unnamedFile(media) }),
  };
};

const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'text/html': 'html',
  'application/json': 'json',
};

const unnamedFile = (media: Media): string => {
  const type = media.from === 'file-id' ? undefined : media.mediaType;
  return `file.${ownOf(ENDINGS, type ?? 'application/pdf') ?? 'bin'}`;
};

/** The URL of an image, audio or file; bytes become a data URL. */
export const writeMedia = (media: Media): string => {
  switch (media.from) {
    case 'url':
      return media.url;
    case 'base64':
      return `data:${media.mediaType};base64,${media.data}`;
    case 'file-id':
      return media.fileId;
  }
};

const audioFormat = (mediaType: string): string => {
  const format = mediaType.replace(/^audio\/(?:x-)?/, '');
  return format === 'mpeg' ? 'mp3' : format;
};
