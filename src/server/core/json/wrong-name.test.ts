import { expect, it } from 'vitest';
import { wrongName } from './wrong-name.ts';

it('finds a name that one object gives twice, however deep and however it is written', () => {
  for (const [json, name] of [
    ['{"a":1,"a":2}', 'a'],
    ['{ "a" : 1 , "b" : [ { "c" : 1 , "\\u0063" : 2 } ] }', 'c'],
    ['{"vip":{"default":1,"default":0.5}}', 'default'],
    ['[{"a":"a"},{"a":"{\\"a\\":1,\\"a\\":2}"}]', undefined],
    ['{"a":{"a":["a","a"]},"b":"a"}', undefined],
    ['{"":1,"":2}', ''],
    [' ', undefined],
    ['"a"', undefined],
  ] as const)
    expect([json, wrongName(json)]).toEqual([
      json,
      name === undefined ? undefined : { key: 'issue_twice', values: { name } },
    ]);
});

it('finds the name that schemas leave out, and takes it as a value', () => {
  const found = { key: 'issue_no_name', values: { name: '__proto__' } };
  for (const json of ['{"__proto__":1}', '{"a":[{"\\u005f_proto__":{}}]}'])
    expect([json, wrongName(json)]).toEqual([json, found]);
  expect(wrongName('{"a":"__proto__","constructor":["__proto__"]}')).toBeUndefined();
});
