import { expect, it } from 'vitest';
import { toggled } from './use-selection.ts';

const shown = [9, 7, 5, 3, 1];
const chosen = (ids: readonly number[], anchor?: number) => ({ ids: new Set(ids), anchor });

it('turns one row over', () => {
  expect(toggled(chosen([]), 7, false, shown)).toEqual(chosen([7], 7));
  expect(toggled(chosen([7, 3], 7), 7, false, shown)).toEqual(chosen([3], 7));
});

it('with Shift makes every row since the last chosen one like this one, in either direction', () => {
  expect([...toggled(chosen([7], 7), 1, true, shown).ids]).toEqual([7, 5, 3, 1]);
  expect(toggled(chosen([9, 7, 5, 3], 3), 7, true, shown).ids).toEqual(new Set([9]));
});

it('takes one row where the last chosen one is no longer shown', () => {
  expect(toggled(chosen([], 42), 5, true, shown).ids).toEqual(new Set([5]));
});
