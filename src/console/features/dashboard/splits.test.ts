import { expect, it } from 'vitest';
import { type HourOf, logsOfPart, namedHours } from './splits.ts';
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

it('equal names are told apart by id, and rows without a name have a label', () => {
  expect(namesOf([hour(1, 'a', 1), hour(2, 'a', 1), hour(3, 'b', 1)])).toEqual(['a #1', 'a #2', 'b']);
  expect(namesOf([hour(7, '', 1), hour(0, '', 1), hour(0, '', 1, true)])).toEqual([
    'deleted #7',
    'Playground',
    'Others',
  ]);
  // One token in two hours is one.
  expect(namesOf([hour(1, 'a', 1), hour(1, 'a', 1)])).toEqual(['a', 'a']);
});

it('the rest is the last series, however large it is', () => {
  const hours = [
    hour(0, '', 1000, true),
    ...Array.from({ length: 9 }, (_, at) => hour(at + 1, `n${at}`, at + 1)),
  ];
  const series = seriesOf(namedHours(hours, words), 'quota', [0], 'Others');
  expect(series.map(({ name }) => name)).toEqual(['n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'Others']);
  expect(series.at(-1)?.values).toEqual([1003]);
});

it('a part of a bar opens exactly its own logs', () => {
  const hours = [hour(1, 'a', 1), hour(2, 'a', 1), hour(7, '', 1), hour(0, '', 9, true)];
  const logs = (split: Parameters<typeof logsOfPart>[0], name: string) =>
    logsOfPart(split, name, hours, words);
  expect(logs('model', 'gpt-5')).toEqual({ model_name: '=gpt-5' });
  expect(logs('channel', 'a #2')).toEqual({ channel: '2' });
  expect(logs('channel', 'deleted #7')).toEqual({ channel: '7' });
  expect(logs('user', 'a #1')).toEqual({ username: 'a' });
  expect(logs('token', 'a #1')).toEqual({ token_name: '=a' });
  expect([logs('user', 'deleted #7'), logs('user', 'Others'), logs('model', 'Others')]).toEqual([{}, {}, {}]);
  const browser = logsOfPart('program', 'Browser', [hour(0, 'browser', 1)], {
    ...words,
    named: (name) => (name === 'browser' ? 'Browser' : name),
  });
  expect(browser).toEqual({ program: 'browser' });
});
