import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonMembers, jsonParts, withMembers } from './members.ts';

const objects = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
const spaced = fc.constantFrom(0, 2, '\t');

it('the members that stand in any JSON are found, names and values', () => {
  fc.assert(
    fc.property(objects, spaced, (value, space) => {
      const bytes = Buffer.from(` ${JSON.stringify(value, undefined, space)} `);
      const found = jsonMembers(bytes).map(({ name, start, end }): [string, unknown] => [
        name,
        JSON.parse(bytes.toString('utf8', start, end)),
      ]);
      expect(found).toEqual(Object.entries(JSON.parse(bytes.toString()) as object));
    }),
  );
});

it('the parts of any JSON are found: those of an object with their names, those of a list, none of a single value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), spaced, (value, space) => {
      const bytes = Buffer.from(` ${JSON.stringify(value, undefined, space)} `);
      const found = [...jsonParts(bytes)].map(({ name, start, end }): [string | undefined, unknown] => [
        name,
        JSON.parse(bytes.toString('utf8', start, end)),
      ]);
      const read = JSON.parse(bytes.toString()) as unknown;
      const isMany = typeof read === 'object' && read !== null;
      const expected = Array.isArray(read)
        ? read.map((one: unknown): [undefined, unknown] => [undefined, one])
        : Object.entries(isMany ? read : {});
      expect(found).toEqual(expected);
    }),
  );
});

it.each([
  '',
  '[',
  '{"a"',
  '{"a":',
  '{"a":1,',
  '["x',
  '}',
  ']]',
  '{"a":1}}',
  'true',
  '{1:2,"b"}',
  '['.repeat(99_999),
])('reading the parts of invalid JSON ends: %.20s', (text) => {
  expect([...jsonParts(Buffer.from(text))].length).toBeLessThan(3);
});

it('a member that is set reads as if it had always been there, in any JSON', () => {
  fc.assert(
    fc.property(objects, objects, spaced, (value, set, space) => {
      const read = (text: string) => JSON.parse(text) as Record<string, unknown>;
      const bytes = Buffer.from(JSON.stringify(value, undefined, space));
      const together = { ...read(bytes.toString()), ...read(JSON.stringify(set)) };
      expect(read(withMembers(bytes, set).toString())).toEqual(together);
    }),
  );
});

it('all other bytes stay as they are: spaces, escapes, long numbers', () => {
  const text = '{ "a" : 1.0,\n"model" :"one" , "id":12345678901234567890, "x":{"model":"\\u00e9"} }\n';
  expect(withMembers(Buffer.from(text), { model: 'two', z: [1] }).toString()).toBe(
    '{ "a" : 1.0,\n"model" :"two" , "id":12345678901234567890, "x":{"model":"\\u00e9"} ,"z":[1]}\n',
  );
  expect(withMembers(Buffer.from('{ }'), { a: 1 }).toString()).toBe('{ "a":1}');
});
