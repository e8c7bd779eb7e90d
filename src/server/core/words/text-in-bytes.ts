import type { Fields } from '../json/fields.ts';

/** Fields that contain pictures, sounds and files, or their URLs. */
const BYTE_FIELDS: ReadonlySet<string> = new Set([
  'data',
  'url',
  'uri',
  'image_url',
  'audio_url',
  'video_url',
  'file_url',
  'file_data',
  'fileUri',
  'file_uri',
  'gcsUri',
  'image',
  'images',
  'mask',
  'audio',
  'video',
  'input_audio',
  'b64_json',
  'bytesBase64Encoded',
  'base64',
  'base64Array',
  'source',
  'result',
  'signature',
  'thoughtSignature',
  'thought_signature',
  'encrypted_content',
]);

const ADDRESS = /^(?:https?|gs|s3|wss?):\/\/\S+$/;
const DATA_ADDRESS = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w-]+=[\w."-]+)*)(;base64)?,/i;
const NO_BASE64 = /[^\w+/=-]/;
/** Shorter base64-like text is as likely to be a word. */
const LEAST_BASE64 = 64;
/** Media types that are read as text. */
const TEXTUAL =
  /^(?:text\/|application\/(?:json|xml|x-|javascript|sql|yaml|toml|rtf)|[\w.+-]+\/[\w.-]+\+(?:json|xml))/i;

const NOTHING: readonly string[] = [];

/** Whether the formats use this field for bytes. */
export const isByteField = (name: string): boolean => BYTE_FIELDS.has(name);

const kindIn = ({ media_type, mimeType, mime_type, type }: Fields): string | undefined =>
  [media_type, mimeType, mime_type].find((kind) => typeof kind === 'string') ??
  (type === 'text' ? 'text/plain' : undefined);

/**
 * The text to search in such a field: none for a URL or binary data, the decoded text of text data, and the whole value
 * of anything else. `holder` is the object that contains it.
 */
export const textInBytes = (text: string, holder: Fields): readonly string[] => {
  if (ADDRESS.test(text)) return NOTHING;
  const data = DATA_ADDRESS.exec(text);
  if (data !== null) {
    const [head, kind = 'text/plain', , base64] = data;
    const held = text.slice(head.length);
    if (base64 === undefined) return [text, unescaped(held)];
    return saidInBase64(held, kind) ?? [text];
  }
  const kind = kindIn(holder);
  const isLikely = text.length >= LEAST_BASE64 || (kind !== undefined && holder['type'] !== 'text');
  return (isLikely ? saidInBase64(text, kind) : undefined) ?? [text];
};

/** Undefined if it is not base64. */
const saidInBase64 = (text: string, kind = ''): readonly string[] | undefined => {
  if (NO_BASE64.test(text)) return undefined;
  return TEXTUAL.test(kind) ? [Buffer.from(text, 'base64').toString()] : NOTHING;
};

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
