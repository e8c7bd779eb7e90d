import { type Fields, ownOf } from '#core/json/fields.ts';
import { refuseStreamedImages } from '../shared/request/refuse-streamed-images.ts';
import { typedFields } from '../shared/request/form-files.ts';
import { picturesOf } from '../shared/request/pictures.ts';
import { refuseAsked } from '../shared/request/refuse-asked.ts';

/** The path of image generations and edits (openrouter.ai/docs, generate an image). */
export const IMAGES_PATH = '/v1/images';

/** The fields it accepts: OpenAI's and its own. */
const KNOWN = [
  'model',
  'prompt',
  'n',
  'size',
  'quality',
  'background',
  'output_format',
  'output_compression',
  'aspect_ratio',
  'resolution',
  'seed',
  'input_references',
  'provider',
];

/** Quality names of older models, and OpenRouter's names for them. */
const QUALITIES: Readonly<Record<string, string>> = { hd: 'high', standard: 'auto' };

const translated = (name: string, value: unknown): unknown =>
  name === 'quality' && typeof value === 'string' ? (ownOf(QUALITIES, value) ?? value) : value;

/**
 * Writes an images request; the images to work on become its references. Throws `invalid_request` for a mask, for streams,
 * and for image URLs as reply, which OpenRouter does not offer.
 */
export const writeImages = (body: Fields): Fields => {
  refuseStreamedImages(body);
  refuseAsked(body, ['input_fidelity']);
  const given = typedFields(body);
  const asked = KNOWN.filter(
    (name) => body[name] !== undefined && !(name === 'size' && body[name] === 'auto'),
  ).map((name) => [name, translated(name, given[name])] as const);
  const references = picturesOf(body).map((url) => ({ type: 'image_url', image_url: { url } }));
  return { ...Object.fromEntries(asked), ...(references.length > 0 && { input_references: references }) };
};
