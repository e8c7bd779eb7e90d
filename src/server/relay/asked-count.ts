import { parsed } from '#contract/text.ts';
import { AppError } from '#core/error.ts';
import { assertJsonBounds } from '#core/json-bounds.ts';
import { type Fields, isFields } from '../dialects/openai/fields.ts';

/** What a text to count may leave out that a call may not. */
const COUNTED = { stream: false } as const;

/** The request whose tokens are asked for; Gemini's may stand in a field of its own (ai.google.dev/api/tokens). */
export const askedCount = (pathModel: string | undefined, bytes: Buffer): Fields => {
  const body = bodyOf(bytes);
  const inner = body['generateContentRequest'];
  const request = isFields(inner) ? inner : body;
  return { ...request, ...(pathModel !== undefined && { model: pathModel }), ...COUNTED };
};

const bodyOf = (bytes: Buffer): Fields => {
  assertJsonBounds(bytes);
  const body = parsed(bytes.toString());
  if (isFields(body)) return body;
  throw new AppError('invalid_request', 'the body is not a JSON object');
};
