import { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import { dataUrl, filesOf } from '../shared/request/form-files.ts';

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
 * `invalid_request` for a mask, which xAI does not offer.
 */
export const writeEdit = (body: Fields): Fields => {
  const files = filesOf(body);
  if (files === undefined) return body;
  if (files.some(({ name }) => name === 'mask'))
    throw new AppError('invalid_request', 'mask: this upstream takes no mask', { param: 'mask' });
  const known = KNOWN.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const]));
  const images = files.map((file) => ({ url: dataUrl(file), type: 'image_url' }));
  return { ...Object.fromEntries(known), ...(images.length === 1 ? { image: images[0] } : { images }) };
};
