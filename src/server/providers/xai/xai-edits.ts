import type { Fields } from '#core/json/fields.ts';
import { dataUrl, filesOf } from '../shared/request/form-files.ts';
import { cannot } from '../shared/request/cannot.ts';

/** The fields it accepts next to the images; `size` is not among them. */
const KNOWN = [
  'model',
  'prompt',
  'n',
  'response_format',
  'aspect_ratio',
  'resolution',
  'quality',
  'output_format',
  'user',
];

/**
 * Writes an image edit: callers send a form, xAI takes JSON (docs.x.ai/developers, image editing). Throws
 * `invalid_request` for a mask and for a stream, which xAI does not offer.
 */
export const writeEdit = (body: Fields): Fields => {
  const files = filesOf(body);
  if (files === undefined) return body;
  if (files.some(({ name }) => name === 'mask')) throw cannot('mask', 'this upstream takes no mask');
  if (body['stream'] === true) throw cannot('stream', 'this upstream does not stream pictures');
  const known = KNOWN.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const]));
  const images = files.map((file) => ({ url: dataUrl(file), type: 'image_url' }));
  return { ...Object.fromEntries(known), ...(images.length === 1 ? { image: images[0] } : { images }) };
};
