import type { IfUnsaid } from '../../dialect.ts';
import { type Fields, fieldsOf } from '#core/json/fields.ts';

/** Lowers `maxOutputTokens`, in the spelling its caller chose. */
export const limitOutput = (body: Fields, tokens: number, ifUnsaid: IfUnsaid): Fields => {
  const place = body['generation_config'] === undefined ? 'generationConfig' : 'generation_config';
  const config = fieldsOf(body[place]);
  const name = config['max_output_tokens'] === undefined ? 'maxOutputTokens' : 'max_output_tokens';
  const most = config[name];
  // 0 means "not given".
  if (typeof most === 'number' && most > 0 && most <= tokens) return body;
  if (ifUnsaid === 'leave' && (most === undefined || most === null)) return body;
  return { ...body, [place]: { ...config, [name]: tokens } };
};
