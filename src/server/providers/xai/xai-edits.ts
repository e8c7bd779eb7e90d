import { type Fields, textOf } from '#core/json/fields.ts';
import { filesOf } from '../shared/request/form-files.ts';
import { cannot } from '../shared/request/cannot.ts';
import { PICTURE_FIELDS, picturesOf } from '../shared/request/pictures.ts';
import { refuseAsked } from '../shared/request/refuse-asked.ts';

/** The fields of a form that it accepts next to the images. */
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

const SIZE = /^(\d+)x(\d+)$/;
const RATIOS = '1:1 4:3 3:4 3:2 2:3 16:9 9:16 2:1 1:2 19.5:9 9:19.5 20:9 9:20'.split(' ');

/** The width as a multiple of the height, on a scale on which 2:1 is as far from 1:1 as 1:2. */
const shapeOf = (width: number, height: number): number => Math.log(width / height);

/** How far a ratio is from a shape. */
const distance = (ratio: string, shape: number): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return Math.abs(shapeOf(width, height) - shape);
};

/** xAI takes a shape instead of a size (docs.x.ai/developers, image generation): the nearest that it has. */
export const withShape = ({ size, ...body }: Fields): Fields => {
  const asked = textOf(size) ?? 'auto';
  const [, width, height] = SIZE.exec(asked) ?? [];
  if (width === undefined && asked !== 'auto')
    throw cannot('size', 'this upstream reads a width and a height');
  if (body['aspect_ratio'] !== undefined || width === undefined || height === undefined) return body;
  const shape = shapeOf(Number(width), Number(height));
  const [nearest] = RATIOS.toSorted((one, other) => distance(one, shape) - distance(other, shape));
  return { ...body, aspect_ratio: nearest };
};

/**
 * Writes an image edit: callers send a form, or JSON in which pictures have other names; xAI takes JSON
 * (docs.x.ai/developers, image editing). Throws `invalid_request` for a mask and for a stream, which xAI does not offer.
 */
export const writeEdit = (asked: Fields): Fields => {
  if (asked['stream'] === true) throw cannot('stream', 'this upstream does not stream pictures');
  refuseAsked(asked, ['background', 'input_fidelity']);
  const images = picturesOf(asked).map((url) => ({ url, type: 'image_url' }));
  const isForm = filesOf(asked) !== undefined;
  const body = Object.fromEntries(
    Object.entries(withShape(asked)).filter(([name]) =>
      isForm ? KNOWN.includes(name) : !OF_PICTURES.has(name),
    ),
  );
  return { ...body, ...(images.length === 1 ? { image: images[0] } : { images }) };
};

const OF_PICTURES: ReadonlySet<string> = new Set([...PICTURE_FIELDS, 'mask']);
