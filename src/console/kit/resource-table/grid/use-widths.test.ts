import { expect, it } from 'vitest';
import { readWidths, sizedColumns } from './use-widths.ts';

it('widths that an older page stored, or somebody else, are read as far as they are widths', () => {
  expect(readWidths({ name: 200.4, cost: 3, time: 9e9, model: 'wide', type: null })).toEqual({
    name: 200,
    cost: 48,
    time: 1200,
  });
  for (const value of [undefined, null, 'wide', 7, [[]]]) expect(readWidths(value)).toEqual({});
});

it('only columns with a width of their own are other columns than before', () => {
  const columns = ['name', 'cost'].map((id) => ({ id, title: id, cell: () => null }));
  const [name, cost] = sizedColumns(columns, 'cost gone');
  expect(name).toBe(columns[0]);
  expect(cost).toEqual({ ...columns[1], isSized: true });
});
