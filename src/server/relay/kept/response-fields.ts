import { type Fields, fieldsOf, isFields, parsedFields } from '#core/json/fields.ts';
import type { Frame } from '../../dialects/frame.ts';
import type { Answer } from '../answer/answer.ts';

/** Whether requests of this format may refer to what an upstream keeps. */
export const mayRefer = (format: string): boolean =>
  format === 'openai-responses' || format === 'openai-responses-compact';

const RESPONSE = Buffer.from('"response":');

/** The response in an answer; for a stream, the one in its first event. */
export const responseOf = (answer: Answer): Fields | undefined => {
  if (answer.kind === 'bytes') return undefined;
  if (answer.kind === 'whole') return fieldsOf(answer.body);
  for (const { frame } of answer.first) {
    const response = responseIn(frame);
    if (response !== undefined) return response;
  }
  return undefined;
};

/** The complete response in an event; the first and the last events have one. */
export const responseIn = (frame: Frame): Fields | undefined => {
  if (frame.oversized === true || !frame.data.includes(RESPONSE)) return undefined;
  const response = parsedFields(frame.data)?.['response'];
  return isFields(response) ? response : undefined;
};
