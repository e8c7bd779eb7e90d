// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { toggled, useSelection } from './use-selection.ts';

const shown = [9, 7, 5, 3, 1];
const chosen = (ids: readonly number[], anchor?: number) => ({ ids: new Set(ids), anchor });

it('toggles a row', () => {
  expect(toggled(chosen([]), 7, { shown })).toEqual(chosen([7], 7));
  expect(toggled(chosen([7, 3], 7), 7, { shown })).toEqual(chosen([3], 7));
});

it('with Shift, makes every row between the last selected one and this one like this one, in both directions', () => {
  expect([...toggled(chosen([7], 7), 1, { shown, isRange: true }).ids]).toEqual([7, 5, 3, 1]);
  expect(toggled(chosen([9, 7, 5, 3], 3), 7, { shown, isRange: true }).ids).toEqual(new Set([9]));
});

it('toggles a single row if the last selected one is no longer shown', () => {
  expect(toggled(chosen([], 42), 5, { shown, isRange: true }).ids).toEqual(new Set([5]));
});

it('rows that have left the page are no longer selected when they are back', () => {
  const { result, rerender } = renderHook((shown: readonly number[]) => useSelection(shown), {
    initialProps: [1, 2, 3],
  });
  act(() => result.current.toggleAll());
  rerender([3, 4]);
  expect([...result.current.ids]).toEqual([3]);
  rerender([1, 2, 3]);
  expect([...result.current.ids]).toEqual([3]);
});
