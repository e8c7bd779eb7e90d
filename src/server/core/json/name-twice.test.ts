import { expect, it } from 'vitest';
import { nameTwice } from './name-twice.ts';

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
    expect([json, nameTwice(json)]).toEqual([json, name]);
});
