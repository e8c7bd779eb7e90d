import { correctSpelling } from '#core/decisive-fields.ts';
import { type Fields, fieldsOf, isFields, textOf, parsedFields } from '#core/json/fields.ts';
import type { Reference } from '../request/request.ts';
import type { Frame } from '../../dialects/frame.ts';
import type { Answer } from '../answer/answer.ts';

/** Whether requests of this format may refer to what an upstream keeps. */
export const mayRefer = (format: string): boolean =>
  format === 'openai-responses' || format === 'openai-responses-compact';

/** The ids of the items in a list that are references. */
export const referencesAmong = (items: unknown): string[] =>
  referencesIn({ input: items }).map(({ id }) => id);

/**
 * Everything a request refers to by id. The id is empty if it is not a text or its field is misspelled. Reasoning
 * without its encrypted content, and a picture without its bytes, are references too.
 */
export const referencesIn = (fields: Fields): Reference[] => {
  const found: Reference[] = [];
  const { input } = fields;
  if (Array.isArray(input)) {
    for (const item of input.filter(isFields)) {
      const id = item['id'] ?? undefined;
      if (id !== undefined && isReference(item)) found.push({ field: 'input', id: textOf(id) ?? '' });
    }
  }
  for (const field of ['previous_response_id', 'conversation'] as const) {
    const value = fields[field];
    if (value === undefined || value === null) continue;
    found.push({ field, id: textOf(value) ?? textOf(fieldsOf(value)['id']) ?? '' });
  }
  const compared = fieldsOf(fields['prompt_cache_options'])['comparison_response_id'] ?? undefined;
  if (compared !== undefined) found.push({ field: 'prompt_cache_options', id: textOf(compared) ?? '' });
  for (const holder of HOLDERS) if (isFields(fields[holder])) found.push(...referencesInside(fields[holder]));
  return found;
};

/** Objects that some upstreams merge into the request. */
const HOLDERS = ['extra_body', 'extraBody'] as const;
const REFERRING = ['previous_response_id', 'conversation', 'input'] as const;

/**
 * References inside such an object. Misspelled fields are refused only at the top level, so here they count as
 * references to nobody's object.
 */
const referencesInside = (fields: Fields): Reference[] => [
  ...referencesIn(fields),
  ...Object.keys(fields).flatMap((name): Reference[] => {
    const field = REFERRING.find((one) => one === correctSpelling(name));
    return field === undefined ? [] : [{ field, id: '' }];
  }),
];

const isReference = (item: Fields): boolean => {
  switch (item['type']) {
    case 'item_reference':
      return true;
    case 'reasoning':
      return item['encrypted_content'] === undefined || item['encrypted_content'] === null;
    case 'image_generation_call':
      return item['result'] === undefined || item['result'] === null;
    default:
      // A reference may omit its type; a message may not omit its role.
      return (item['type'] ?? null) === null && item['role'] === undefined;
  }
};

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
