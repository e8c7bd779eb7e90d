import type { Fields } from '#core/json/fields.ts';
import { cannot } from './cannot.ts';

/** Throws `invalid_request` for streamed images and for image URLs, at upstreams that only answer whole, in base64. */
export const refuseStreamedImages = ({ stream, response_format: format }: Fields): void => {
  if (stream === true) throw cannot('stream', 'this upstream does not stream pictures');
  if (format !== undefined && format !== 'b64_json')
    throw cannot('response_format', 'this upstream gives pictures as b64_json');
};
