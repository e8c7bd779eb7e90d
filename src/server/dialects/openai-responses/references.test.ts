import { expect, test } from 'vitest';
import { referencesAmong, referencesIn } from './references.ts';

/** What is referred to by id is looked up, so that nobody reads what belongs to another. */

test('an item is a reference if it is called one, or has no content of its own', () => {
  const references = [
    { id: 'a', type: 'item_reference' },
    // The type of a reference may be left out.
    { id: 'b' },
    { id: 'c', type: null },
    { id: 'd', type: 'reasoning', summary: [] },
    { id: 'e', type: 'reasoning', encrypted_content: null },
    { id: 'f', type: 'image_generation_call', result: null },
  ];
  expect(referencesAmong(references)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  const whole = [
    { id: 'a', type: 'message', role: 'user', content: 'hi' },
    { id: 'b', role: 'user', content: 'hi' },
    { id: 'c', type: 'function_call', name: 'f', arguments: '{}' },
    { id: 'd', type: 'reasoning', encrypted_content: 'sealed' },
    { id: 'e', type: 'image_generation_call', result: 'AAAA' },
    { type: 'item_reference' },
    'text',
  ];
  expect(referencesAmong(whole)).toEqual([]);
});

test('an id that is no text, and a reference inside an object that upstreams merge, are references too', () => {
  expect(referencesAmong([{ id: 7 }])).toEqual(['']);
  expect(referencesIn({ previous_response_id: 'r', conversation: { id: 'c' } })).toEqual([
    { field: 'previous_response_id', id: 'r' },
    { field: 'conversation', id: 'c' },
  ]);
  expect(referencesIn({ extra_body: { previous_response_id: 'r' } })).toContainEqual({
    field: 'previous_response_id',
    id: 'r',
  });
});
