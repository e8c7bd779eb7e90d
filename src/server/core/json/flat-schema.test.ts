import { expect, test } from 'vitest';
import { flatSchema } from './flat-schema.ts';

test('a schema without a choice at its top stays as it is', () => {
  const schema = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } } };
  expect(flatSchema(schema)).toEqual({ schema, inWords: undefined });
  expect(flatSchema(undefined)).toEqual({ schema: { type: 'object' }, inWords: undefined });
});

test('the fields of all choices are fields, what every choice wants is wanted, and the choice is put in words', () => {
  const anyOf = [
    { properties: { a: { type: 'string' } }, required: ['a', 'c'] },
    { properties: { b: { type: 'number' } }, required: ['b', 'c'] },
  ];
  const { schema, inWords } = flatSchema({ properties: { c: { type: 'boolean' } }, anyOf });
  expect(schema).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'boolean' } },
    required: ['c'],
  });
  expect(inWords).toContain(JSON.stringify({ anyOf }));
});

test('of all together everything is wanted', () => {
  const { schema } = flatSchema({ allOf: [{ required: ['a'] }, { required: ['b'] }], required: ['a'] });
  expect(schema).toEqual({ type: 'object', required: ['a', 'b'] });
});
