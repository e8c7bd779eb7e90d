import { AppError } from '#core/error.ts';
import type { Fields } from '../../dialects/openai/fields.ts';
import { requireDrawnWhole } from '../drawn-whole.ts';
import { dataUrl, filesOf } from '../form-files.ts';

/** Pictures, new ones and those made from others, have one place (openrouter.ai/docs, generate an image). */
export const IMAGES_PATH = '/v1/images';

/** What it reads of the caller's fields: OpenAI's, and those of its own. */
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

/** Qualities of older models by the names it knows. */
const QUALITIES: Readonly<Record<string, string>> = { hd: 'high', standard: 'auto' };

const said = (name: string, value: unknown): unknown =>
  name === 'quality' && typeof value === 'string' ? (QUALITIES[value] ?? value) : value;

/**
 * A call for pictures; those of a form become its references. Throws `invalid_request` for a mask, for streams, and for
 * addresses of pictures, which it does not give.
 */
export const writeImages = (body: Fields): Fields => {
  requireDrawnWhole(body);
  const files = filesOf(body) ?? [];
  if (files.some(({ name }) => name === 'mask'))
    throw new AppError('invalid_request', 'mask: this upstream changes the whole picture', { param: 'mask' });
  const asked = KNOWN.filter(
    (name) => body[name] !== undefined && !(name === 'size' && body[name] === 'auto'),
  ).map((name) => [name, said(name, body[name])] as const);
  const references = files.map((file) => ({ type: 'image_url', image_url: { url: dataUrl(file) } }));
  return { ...Object.fromEntries(asked), ...(references.length > 0 && { input_references: references }) };
};
