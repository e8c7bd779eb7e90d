import { expect, it } from 'vitest';
import { readWidths, sizedColumns } from './use-widths.ts';

it('invalid stored widths are dropped', () => {
  expect(readWidths({ name: 200.4, cost: 3, time: 9e9, model: 'wide', type: null })).toEqual({
    name: 200,
    cost: 48,
    time: 1200,
  });
  for (const value of [undefined, null, 'wide', 7, [[]]]) expect(readWidths(value)).toEqual({});
});

it('only columns with a chosen width are new objects', () => {
  const columns = ['name', 'cost'].map((id) => ({ id, title: id, cell: () => null }));
  const [name, cost] = sizedColumns(columns, 'cost gone');
  expect(name).toBe(columns[0]);
  expect(cost).toEqual({ ...columns[1], isSized: true });
});
