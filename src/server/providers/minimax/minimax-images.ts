import type { AppError } from '#core/error.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import type { UpstreamCall } from '../../dialects/upstream.ts';
import { typedFields } from '../shared/request/form-files.ts';
import { PICTURE_FIELDS, picturesOf } from '../shared/request/pictures.ts';
import { refuseAsked } from '../shared/request/refuse-asked.ts';
import { cannot } from '../shared/request/cannot.ts';

/**
 * Images of `image-01` and `image-01-live` (platform.minimaxi.com/docs/api-reference: image-generation-t2i,
 * image-generation-i2i), for callers of OpenAI's images API. Newer models accept that format themselves.
 */
export const IMAGES_PATH = '/v1/image_generation';

/** Whether the model takes MiniMax's own format only. */
export const drawsInOwnForm = ({ model }: UpstreamCall): boolean => model.startsWith('image-01');

/** OpenAI's fields that have another name here, or none. */
const OPENAIS: ReadonlySet<string> = new Set([
  'size',
  'response_format',
  'quality',
  'style',
  'user',
  'background',
  ...PICTURE_FIELDS,
  'mask',
  '$files',
]);

/**
 * Writes a generation or an edit; an edit keeps the person in the images. Throws `invalid_request` for what MiniMax
 * does not offer.
 */
export const writeImages = (body: Fields): Fields => {
  const pictures = picturesOf(body);
  if (body['stream'] === true) throw cannot('stream', 'this upstream does not stream pictures');
  refuseAsked(body, ['quality', 'background']);
  const size = textOf(body['size']) ?? 'auto';
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined && size !== 'auto')
    throw cannot('size', 'this upstream reads a width and a height');
  return {
    ...Object.fromEntries(Object.entries(typedFields(body)).filter(([name]) => !OPENAIS.has(name))),
    response_format: body['response_format'] === 'b64_json' ? 'base64' : 'url',
    ...(width !== undefined && { width: Number(width), height: Number(height) }),
    ...(pictures.length > 0 && {
      subject_reference: pictures.map((address) => ({ type: 'character', image_file: address })),
    }),
  };
};

/** Its list of URLs or images as OpenAI's; a refusal passes unchanged. */
export const readImages = (body: unknown): unknown => {
  const { image_urls: urls, image_base64: pictures } = fieldsOf(fieldsOf(body)['data']);
  const data = [
    ...listOf(urls).map((url) => ({ url })),
    ...listOf(pictures).map((picture) => ({ b64_json: picture })),
  ];
  return data.length === 0 ? body : { data };
};

/** The refusal of an edit by a newer model: only the older ones have a documented API for edits. */
export const refuseEdits = (model: string): AppError =>
  cannot('model', `${model} does not change pictures here: image-01 does`);
