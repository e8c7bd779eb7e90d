import { expect, it } from 'vitest';
import { partMore, valueFrom, valueText, withEntry } from './price-changes.ts';

it('what is typed is a number, an object, or nothing; all else is wrong', () => {
  expect(['1.5', ' 2e3 ', '0', '{"default":0.5}', '', '  '].map(valueFrom)).toEqual([
    1.5,
    2000,
    0,
    { default: 0.5 },
    null,
    null,
  ]);
  expect(['1,5', 'null', '[1]', '"2"', '{', 'NaN', 'true'].map(valueFrom)).toEqual(Array.from({ length: 7 }));
  expect([null, 0, 1.5, { a: 1 }].map(valueText)).toEqual(['', '0', '1.5', '{"a":1}']);
});

it('a change in per cent is told of two numbers, and never of nothing', () => {
  expect(partMore(2, 3)).toBeCloseTo(0.5);
  expect(partMore(2, 0)).toBe(-1);
  expect([partMore(0, 3), partMore(null, 3), partMore(3, null), partMore({}, 3)]).toEqual(
    Array.from({ length: 4 }),
  );
});

it('the last value of a name counts, whatever stands before', () => {
  const first = [
    { option: 'ModelPrice', key: 'a', value: 1 } as const,
    { option: 'ModelRatio', key: 'a', value: 2 } as const,
  ];
  expect(withEntry(first, { option: 'ModelPrice', key: 'a', value: null })).toEqual([
    { option: 'ModelRatio', key: 'a', value: 2 },
    { option: 'ModelPrice', key: 'a', value: null },
  ]);
});
