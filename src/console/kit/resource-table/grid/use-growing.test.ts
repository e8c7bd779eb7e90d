import { expect, it } from 'vitest';
import { countAfter } from './use-growing.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

it('new rows come step by step, and existing rows stay when some are added or removed', () => {
  const all = { ids: range(0, 100).join(','), count: 100 };
  expect(countAfter(all, range(200, 300))).toBe(10);
  expect(countAfter(all, range(0, 100))).toBe(100);
  expect(countAfter(all, range(1, 101))).toBe(100);
  expect(countAfter(all, range(0, 30))).toBe(30);
  expect(countAfter(all, [])).toBe(0);
});

it('a list that was still growing continues from where it was', () => {
  expect(countAfter({ ids: range(0, 100).join(','), count: 40 }, range(1, 101))).toBe(40);
  expect(countAfter({ ids: '', count: 0 }, range(0, 100))).toBe(10);
  expect(countAfter({ ids: '', count: 0 }, range(0, 4))).toBe(4);
});

it('a list of new rows begins with one step, however short it is; a few new ones change nothing', () => {
  const ten = { ids: range(0, 10).join(','), count: 10 };
  expect(countAfter(ten, range(10, 20), 3)).toBe(3);
  expect(countAfter(ten, range(10, 12), 3)).toBe(2);
  expect(countAfter(ten, [20, 21, 22, 23, ...range(0, 6)], 3)).toBe(10);
});
