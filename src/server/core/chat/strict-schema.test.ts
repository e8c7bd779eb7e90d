import { expect, test } from 'vitest';
import { isStrictSchema } from './strict-schema.ts';

const text = { type: 'string' };
const closed = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false };

test.each<[string, object, boolean]>([
  ['closed, all required', closed, true],
  [
    'closed inside lists and choices',
    { ...closed, properties: { a: { type: 'array', items: closed } } },
    true,
  ],
  ['an open object', { type: 'object', properties: { a: text }, required: ['a'] }, false],
  ['a property that may be missing', { ...closed, required: [] }, false],
  ['an open object inside', { ...closed, properties: { a: { type: 'object', properties: {} } } }, false],
  ['an open definition', { ...closed, $defs: { d: { type: 'object' } } }, false],
  ['all of several', { ...closed, allOf: [{}] }, false],
  ['a property called like a keyword', { ...closed, properties: { not: text }, required: ['not'] }, true],
])('%s', (_, schema, expected) => {
  expect(isStrictSchema(schema)).toBe(expected);
});
