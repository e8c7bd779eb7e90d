import { correctSpelling } from '#core/decisive-fields.ts';
import { type Fields, fieldsOf, isFields, textOf } from '#core/json/fields.ts';

/** A request's reference to something an upstream keeps: the field and the id. */
export interface Reference {
  readonly field: 'previous_response_id' | 'conversation' | 'input' | 'prompt_cache_options';
  readonly id: string;
}

/** Whether the model reads what is referred to. With a response that prompts are compared with, it does not. */
export const isRead = ({ field }: Reference): boolean => field !== 'prompt_cache_options';

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
