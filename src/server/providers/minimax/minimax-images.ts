import { AppError } from '#core/error.ts';
import { dataUrl, filesOf } from '../form-files.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import type { Addressed } from '../provider.ts';

/**
 * Pictures of `image-01` and `image-01-live` (platform.minimaxi.com/docs/api-reference: image-generation-t2i,
 * image-generation-i2i), asked for and told in OpenAI's form. Its newer models read that form themselves.
 */
export const IMAGES_PATH = '/v1/image_generation';

export const isOwnImages = ({ operation, model }: Addressed): boolean =>
  (operation === 'images' || operation === 'image-edits') && model.startsWith('image-01');

/** What OpenAI has that is said otherwise here, or not at all. */
const OPENAIS = new Set(['size', 'response_format', 'quality', 'style', 'user', 'background', '$files']);

/** An edit keeps the person of the pictures that come with it. Throws `invalid_request` for what it cannot do. */
export const writeImages = (body: Fields): Fields => {
  const files = filesOf(body) ?? [];
  if (files.some(({ name }) => name === 'mask'))
    throw cannot('mask', 'this upstream changes the whole picture');
  if (body['stream'] === true) throw cannot('stream', 'this upstream draws pictures whole');
  const [, width, height] = /^(\d+)x(\d+)$/.exec(textOf(body['size']) ?? '') ?? [];
  return {
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !OPENAIS.has(name))),
    response_format: body['response_format'] === 'b64_json' ? 'base64' : 'url',
    ...(width !== undefined && { width: Number(width), height: Number(height) }),
    ...(files.length > 0 && {
      subject_reference: files.map((file) => ({ type: 'character', image_file: dataUrl(file) })),
    }),
  };
};

const cannot = (param: string, why: string): AppError =>
  new AppError('invalid_request', `${param}: ${why}`, { param });

/** Its list of addresses or of pictures as OpenAI's; a refusal as it is. */
export const readImages = (body: unknown): unknown => {
  const { image_urls: urls, image_base64: pictures } = fieldsOf(fieldsOf(body)['data']);
  const data = [
    ...listOf(urls).map((url) => ({ url })),
    ...listOf(pictures).map((picture) => ({ b64_json: picture })),
  ];
  return data.length === 0 ? body : { data };
};

/** Of its newer models only those of before are known how to be asked for edits. */
export const refuseEdits = (model: string): AppError =>
  cannot('model', `${model} does not change pictures here: image-01 does`);
