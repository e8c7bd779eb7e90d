import { type Fields, fieldsOf, isFields, textOf } from '../../dialects/openai/fields.ts';

/** Something an upstream keeps, named in a request instead of being said. */
export interface Reference {
  readonly field: 'previous_response_id' | 'conversation' | 'input';
  readonly id: string;
}

/** Items that are named in a list instead of being said. */
export const referencesAmong = (items: unknown): string[] =>
  referencesIn({ input: items }).map(({ id }) => id);

/** Everything a request names instead of saying it. A thought without its seal and a picture without its bytes are names. */
export const referencesIn = (told: Fields): Reference[] => {
  const found: Reference[] = [];
  const { input } = told;
  if (Array.isArray(input)) {
    for (const item of input.filter(isFields)) {
      const id = textOf(item['id']);
      if (id !== undefined && isReference(item)) found.push({ field: 'input', id });
    }
  }
  for (const field of ['previous_response_id', 'conversation'] as const) {
    const value = told[field];
    if (value === undefined || value === null) continue;
    found.push({ field, id: textOf(value) ?? textOf(fieldsOf(value)['id']) ?? '' });
  }
  return found;
};

const isReference = (item: Fields): boolean => {
  switch (item['type']) {
    case 'item_reference':
      return true;
    case 'reasoning':
      return item['encrypted_content'] === undefined || item['encrypted_content'] === null;
    case 'image_generation_call':
      return item['result'] === undefined || item['result'] === null;
    default:
      // A reference may leave out what it is; a message may not leave out who speaks.
      return (item['type'] ?? null) === null && item['role'] === undefined;
  }
};
