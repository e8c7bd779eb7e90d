import { type Fields, isFields } from '#core/json/fields.ts';

/** What embeddings and rerankers read beside text, by the field that has its address or base64, as parts of a message. */
const PARTS: Readonly<Record<string, (data: unknown) => Fields>> = {
  image: (data) => ({ type: 'image_url', image_url: data }),
  url: (data) => ({ type: 'image_url', image_url: data }),
  bytes: (data) => ({ type: 'image_url', image_url: data }),
  audio: (data) => ({ type: 'audio_url', audio_url: data }),
  video: (data) => ({ type: 'video_url', video_url: data }),
  pdf: (data) => ({ type: 'file', file: { file_data: data } }),
};

/**
 * The inputs of embeddings and rerankers with the type that parts of messages have, so that they are counted like those:
 * `{"image": …}` is a picture there, and not a word. The same value where none has to be said to have one.
 */
export const typedInputs = (input: unknown): unknown => {
  if (!Array.isArray(input)) return isFields(input) ? typed(input) : input;
  if (!input.some(isFields)) return input;
  const all = input.map((one: unknown) => (isFields(one) ? typed(one) : one));
  return all.every((one, at) => one === input[at]) ? input : all;
};

const typed = (input: Fields): unknown => {
  if (input['type'] !== undefined) return input;
  const parts: Fields[] = [];
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const part = Object.hasOwn(PARTS, name) && typeof value === 'string' ? PARTS[name] : undefined;
    if (part === undefined) rest[name] = value;
    else parts.push(part(value));
  }
  return parts.length === 0 ? input : { ...rest, parts };
};
