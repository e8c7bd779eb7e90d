import { parsed } from '#contract/json-text.ts';
import { AppError } from '#core/error.ts';
import { surveyJson } from '#core/json/bounds.ts';
import { type Fields, isFields } from '#core/json/fields.ts';

/** Fields that a call requires but a request to count tokens may omit. */
const COUNTED = { stream: false } as const;

/** The request whose tokens are counted; Gemini may nest it in a field (ai.google.dev/api/tokens). */
export const askedCount = (pathModel: string | undefined, bytes: Buffer): Fields => {
  const body = bodyOf(bytes);
  const inner = body['generateContentRequest'];
  const request = isFields(inner) ? inner : body;
  return { ...request, ...(pathModel !== undefined && { model: pathModel }), ...COUNTED };
};

const bodyOf = (bytes: Buffer): Fields => {
  surveyJson(bytes);
  const body = parsed(bytes.toString());
  if (isFields(body)) return body;
  throw new AppError('invalid_request', 'the body is not a JSON object');
};
