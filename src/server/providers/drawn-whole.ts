import { AppError } from '#core/error.ts';
import type { Fields } from '../dialects/openai/fields.ts';

/** Throws `invalid_request` for pictures in a stream or behind addresses, of an upstream that tells them whole, in base64. */
export const requireDrawnWhole = ({ stream, response_format: format }: Fields): void => {
  if (stream === true) throw cannot('stream', 'this upstream draws pictures whole');
  if (format !== undefined && format !== 'b64_json')
    throw cannot('response_format', 'this upstream gives pictures as b64_json');
};

const cannot = (param: string, why: string): AppError =>
  new AppError('invalid_request', `${param}: ${why}`, { param });
