import type { ContentPart, Media } from '#core/chat/request.ts';
import { fieldsOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { readMedia } from '../../openai/read-media.ts';

type Part<Type extends ContentPart['type']> = Extract<ContentPart, { type: Type }>;

/** The media type of videos whose URL does not show it. */
const USUAL_FILM = 'video/mp4';
const FILMS: Readonly<Record<string, string>> = {
  mov: 'video/quicktime',
  mpeg: 'video/mpeg',
  webm: 'video/webm',
  '3gp': 'video/3gpp',
};
/** The first bytes of audio formats, in base64. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/^UklG/, 'audio/wav'],
  [/^T2dn/, 'audio/ogg'],
  [/^ZkxhQ/, 'audio/flac'],
];

/**
 * Reads parts that other vendors added to this format: a document by URL (Mistral), a video (OpenRouter, vLLM, Qwen), audio
 * by URL (vLLM, Qwen) or without a format (Mistral). The original part is kept for upstreams that know it.
 */
export const readVendorPart = (part: Fields): ContentPart | undefined => {
  switch (part['type']) {
    case 'document_url':
      return readDocument(part);
    case 'video_url':
      return readFilm(part);
    case 'input_audio':
      return readSound(part);
    case 'audio_url':
      return readSoundAt(part);
    default:
      return undefined;
  }
};

/** Writes such a part as it came; undefined for all others. Videos are written in one form, whatever their origin. */
export const writeVendorPart = (part: Part<'file'> | Part<'audio'>): Fields | undefined => {
  const own = part.extras?.['openai-chat'] ?? {};
  if (own['document_url'] !== undefined) return { ...own, type: 'document_url' };
  if (own['video_url'] !== undefined) return { ...own, type: 'video_url' };
  if (own['input_audio'] !== undefined) return { ...own, type: 'input_audio' };
  if (own['audio_url'] !== undefined) return { ...own, type: 'audio_url' };
  if (!isFilm(part.media) || part.media.from === 'file-id') return undefined;
  const { media } = part;
  const url = media.from === 'url' ? media.url : `data:${media.mediaType};base64,${media.data}`;
  return { ...own, type: 'video_url', video_url: { url } };
};

const isFilm = (media: Media): boolean =>
  media.from !== 'file-id' && media.mediaType?.startsWith('video/') === true;

const readDocument = (part: Fields): Part<'file'> | undefined => {
  const given = part['document_url'];
  const url = textOf(given) ?? textOf(fieldsOf(given)['url']);
  if (url === undefined) return undefined;
  const name = textOf(part['document_name']);
  return {
    type: 'file',
    media: readMedia(url),
    ...(name !== undefined && { name }),
    ...asItCame(part),
  };
};

const readFilm = (part: Fields): Part<'file'> | undefined => {
  const given = part['video_url'];
  const url = textOf(given) ?? textOf(fieldsOf(given)['url']);
  if (url === undefined) return undefined;
  const media = readMedia(url);
  const ending = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  const known = media.from === 'url' ? { ...media, mediaType: FILMS[ending] ?? USUAL_FILM } : media;
  return { type: 'file', media: known, ...asItCame(part) };
};

const readSound = (part: Fields): Part<'audio'> | undefined => {
  const given = textOf(part['input_audio']);
  if (given === undefined) return undefined;
  const media = /^(?:data:|https?:)/.test(given) ? readMedia(given) : bytesOf(given);
  return { type: 'audio', media, ...asItCame(part) };
};

/** Audio by URL as vLLM and Qwen define it; OpenAI's own models do not know it. */
const readSoundAt = (part: Fields): Part<'audio'> | undefined => {
  const given = part['audio_url'];
  const url = textOf(given) ?? textOf(fieldsOf(given)['url']);
  return url === undefined ? undefined : { type: 'audio', media: readMedia(url), ...asItCame(part) };
};

const bytesOf = (data: string): Media => ({
  from: 'base64',
  data,
  mediaType: SOUNDS.find(([begins]) => begins.test(data))?.[1] ?? 'audio/mpeg',
});

const asItCame = (part: Fields) => ({
  extras: { 'openai-chat': otherFields(part, new Set(['type'])) ?? {} },
});
