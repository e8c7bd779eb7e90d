import type { ContentPart, Media, Message } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';

type Speaker = Message['role'];

/** Writes parts as the content of an item; a single plain text is written as a string. */
export const writeContent = (parts: readonly ContentPart[], role: Speaker): string | Fields[] => {
  const [only] = parts;
  if (only === undefined) return '';
  if (parts.length === 1 && only.type === 'text' && hasNoExtras(only)) return only.text;
  return parts.flatMap((part) => writePart(part, role));
};

const hasNoExtras = (part: ContentPart): boolean => {
  const { item: _, ...others } = part.extras?.['openai-responses'] ?? {};
  // An empty text with another format's extras is written as a part, which drops it.
  const isForeign = part.type === 'text' && part.text === '' && part.extras !== undefined;
  return Object.keys(others).length === 0 && !isForeign;
};

const writePart = (part: ContentPart, role: Speaker): Fields[] => {
  const { item: _, ...extras } = part.extras?.['openai-responses'] ?? {};
  // An unknown part was stored whole in its extras.
  if (extras['type'] !== undefined) return [extras];
  switch (part.type) {
    case 'text':
      // What only another format can express is an empty text here.
      if (part.text === '' && part.extras !== undefined && Object.keys(extras).length === 0) return [];
      return [{ ...extras, type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text }];
    case 'refusal':
      return [{ ...extras, type: 'refusal', refusal: part.text }];
    case 'image':
      return [
        { ...extras, ...writeImage(part.media), ...(part.detail !== undefined && { detail: part.detail }) },
      ];
    case 'audio':
      return [{ ...extras, ...writeAudio(part.media) }];
    case 'file':
      return [{ ...extras, ...writeFile(part.media, part.name) }];
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return [];
  }
};

const writeImage = (media: Media): Fields =>
  media.from === 'file-id'
    ? { type: 'input_image', file_id: media.fileId }
    : { type: 'input_image', image_url: writeMedia(media) };

const writeFile = (media: Media, name: string | undefined): Fields => {
  switch (media.from) {
    case 'file-id':
      return { type: 'input_file', file_id: media.fileId, ...(name !== undefined && { filename: name }) };
    case 'url':
      return { type: 'input_file', file_url: media.url, ...(name !== undefined && { filename: name }) };
    case 'base64':
      // OpenAI refuses a file without a name.
      return { type: 'input_file', file_data: writeMedia(media), filename: name ?? 'file' };
  }
};

const writeAudio = (media: Media): Fields => {
  if (media.from !== 'base64')
    throw new AppError(
      'invalid_request',
      'audio must come as its bytes: the Responses format takes no address of it',
      {
        param: 'input_audio',
      },
    );
  const format = media.mediaType.replace(/^audio\/(?:x-)?/, '');
  return {
    type: 'input_audio',
    input_audio: { data: media.data, format: format === 'mpeg' ? 'mp3' : format },
  };
};

const writeMedia = (media: Exclude<Media, { from: 'file-id' }>): string =>
  media.from === 'url' ? media.url : `data:${media.mediaType};base64,${media.data}`;
