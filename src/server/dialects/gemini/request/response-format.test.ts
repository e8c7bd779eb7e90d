import { expect, test } from 'vitest';
import type { Fields } from '#core/json/fields.ts';
import { gemini } from '../gemini.ts';

const read = (generationConfig: Fields) =>
  gemini.readRequest({ model: 'm', contents: [{ parts: [{ text: 'hi' }] }], generationConfig });
const schema = { type: 'object', properties: { propertyName: { type: 'string' } } };

test.each<[string, Fields]>([
  ['in a list', { responseFormat: [{ text: { mimeType: 'application/json', schema } }] }],
  [
    'alone, in words of an enumeration',
    { response_format: { text: { mime_type: 'APPLICATION_JSON', schema } } },
  ],
  ['without a media type', { responseFormat: [{ text: { schema } }] }],
])("Google's newer word for a JSON schema means what the older ones mean: %s", (_, config) => {
  expect(read(config).responseFormat).toEqual({ type: 'json-schema', name: 'response', schema });
  expect(read(config).onlyIn).toBeUndefined();
});

test.each<[string, Fields]>([
  ['a picture', { responseFormat: [{ image: { aspectRatio: '1:1' } }] }],
  ['a text and a sound', { responseFormat: [{ text: { mimeType: 'text/plain' } }, { audio: {} }] }],
  ['a field nobody knows', { responseFormat: [{ text: { mimeType: 'application/json', brandNew: 1 } }] }],
])('what only Google can be asked for in it is refused by its name: %s', (_, config) => {
  expect(read(config).onlyIn?.map(({ param }) => param)).toEqual(['responseFormat']);
});
