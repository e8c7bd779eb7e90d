import { expect, it } from 'vitest';
import { type HourOf, namedHours } from './splits.ts';
import { seriesOf } from './usage-sums.ts';

const words = { rest: 'Others', none: 'Playground', gone: (id: number) => `deleted #${id}` };
const hour = (id: number, name: string, quota: number, isRest = false): HourOf => ({
  id,
  name,
  is_rest: isRest,
  count: 1,
  quota,
  token_used: 0,
  created_at: 0,
});
const namesOf = (hours: readonly HourOf[]): string[] => namedHours(hours, words).map((one) => one.model_name);

it('two of one name are told apart, and what has no name says what it is', () => {
  expect(namesOf([hour(1, 'a', 1), hour(2, 'a', 1), hour(3, 'b', 1)])).toEqual(['a #1', 'a #2', 'b']);
  expect(namesOf([hour(7, '', 1), hour(0, '', 1), hour(0, '', 1, true)])).toEqual([
    'deleted #7',
    'Playground',
    'Others',
  ]);
  // One token in two hours is one.
  expect(namesOf([hour(1, 'a', 1), hour(1, 'a', 1)])).toEqual(['a', 'a']);
});

it('the rest is one series, the last, however large it is', () => {
  const hours = [
    hour(0, '', 1000, true),
    ...Array.from({ length: 9 }, (_, at) => hour(at + 1, `n${at}`, at + 1)),
  ];
  const series = seriesOf(namedHours(hours, words), 'quota', 'hour', [0], 'Others');
  expect(series.map(({ name }) => name)).toEqual(['n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'Others']);
  expect(series.at(-1)?.values).toEqual([1003]);
});
