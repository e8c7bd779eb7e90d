import { expect, test } from 'vitest';
import { pairProblem, pairsIn, pairsText } from './json-pairs.ts';

test.each([
  ['', []],
  ['{}', []],
  [
    '{"a":"b","c":"d"}',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['{"400":500}', [['400', '500']]],
  ['{"a":{"b":1}}', undefined],
  ['{"a":null}', undefined],
  ['["a"]', undefined],
  ['{"a":', undefined],
  ['7', undefined],
])('of %j the rows of texts are %j', (text, rows) => {
  expect(pairsIn(text, 'texts')).toEqual(rows);
});

test('values of any kind are shown as JSON, and written as the same JSON', () => {
  const text = { a: 'word', b: '1.0', c: 1.5, d: null, e: { f: [true] }, g: '', h: '"quoted"' };
  const rows = pairsIn(JSON.stringify(text), 'json') ?? [];
  expect(rows.map(([, value]) => value)).toEqual([
    'word',
    '"1.0"',
    '1.5',
    'null',
    '{"f":[true]}',
    '',
    String.raw`"\"quoted\""`,
  ]);
  expect(JSON.parse(pairsText(rows, 'json'))).toEqual(text);
});

test('rows are written in their order, without the spaces around a name', () => {
  const text = pairsText(
    [
      ['500', '503'],
      [' 400', '500 '],
    ],
    'texts',
  );
  expect(text).toBe('{\n  "500": "503",\n  "400": "500"\n}');
});

test.each([
  [
    [
      ['a', 'b'],
      ['', 'c'],
    ],
    [undefined, 'missing'],
  ],
  [[['a', '']], ['missing']],
  [
    [
      ['a', 'b'],
      ['a ', 'c'],
    ],
    ['twice', 'twice'],
  ],
  [[['__proto__', 'b']], [undefined]],
] as const)('of rows %j the problems are %j, and none is lost or can be saved', (rows, problems) => {
  expect(rows.map((row) => pairProblem(row, rows, 'texts'))).toEqual(problems);
  const text = pairsText(rows, 'texts');
  expect(pairsIn(text, 'texts')).toEqual(rows);
  expect(Array.isArray(JSON.parse(text))).toBe(problems.some((one) => one !== undefined));
});

test('without rows there is no text', () => {
  expect(pairsText([], 'json')).toBe('');
});
