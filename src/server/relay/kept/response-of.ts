import { fieldsOf, isFields, type Fields } from '../../dialects/openai/fields.ts';
import type { Frame } from '../../dialects/frame.ts';
import type { Answer } from '../answer.ts';

const RESPONSE = Buffer.from('"response":');

/** The response an answer is, or begins with: of a stream it stands in the first event. */
export const responseOf = (answer: Answer): Fields | undefined => {
  if (answer.kind === 'bytes') return undefined;
  if (answer.kind === 'whole') return fieldsOf(answer.body);
  for (const { frame } of answer.first) {
    const response = responseIn(frame);
    if (response !== undefined) return response;
  }
  return undefined;
};

/** The response that an event holds whole: the first and the last ones do. */
export const responseIn = (frame: Frame): Fields | undefined => {
  if (frame.oversized === true || !frame.data.includes(RESPONSE)) return undefined;
  try {
    const { response } = fieldsOf(JSON.parse(frame.data.toString()));
    return isFields(response) ? response : undefined;
  } catch {
    return undefined;
  }
};
