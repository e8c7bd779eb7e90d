import { expect, it } from 'vitest';
import { firstOf, nextStep, type Rows, rowsAfter } from './use-drawn-rows.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const hundred = range(0, 100);

/** All steps until there is none. */
const settled = (rows: Rows, ids: readonly number[]): { readonly rows: Rows; readonly most: number } => {
  let [now, most] = [rows, 0];
  for (let step = nextStep(now, ids); step !== undefined; step = nextStep(now, ids)) {
    most = Math.max(most, [...step.drawn].filter((id) => !now.drawn.has(id)).length);
    now = step;
  }
  return { rows: now, most };
};
const sorted = (ids: ReadonlySet<number>) => [...ids].toSorted((a, b) => a - b);

it('a short list is drawn completely, a few rows at a time', () => {
  const ids = range(0, 30);
  const { rows, most } = settled(firstOf(ids), ids);
  expect(sorted(rows.drawn)).toEqual(ids);
  expect(most).toBeLessThanOrEqual(4);
});

it('in a long list only rows near the visible part are drawn, and those being worked with', () => {
  const scrolled: Rows = { ...firstOf(hundred), near: new Set(range(60, 85)), kept: new Set([2]) };
  expect(sorted(settled(scrolled, hundred).rows.drawn)).toEqual([2, ...range(60, 85)]);
});

it('no row loses its cells before all visible rows have theirs', () => {
  const shown = settled({ ...firstOf(hundred), near: new Set(range(0, 10)) }, hundred).rows;
  const scrolled: Rows = { ...shown, near: new Set(range(50, 60)) };
  const step = nextStep(scrolled, hundred);
  expect([...shown.drawn].filter((id) => step?.drawn.has(id) !== true)).toEqual([]);
  expect(sorted(settled(scrolled, hundred).rows.drawn)).toEqual(range(50, 60));
});

it('rows with only a name pass their elements on to a new list, and no two rows share one', () => {
  const shown = settled({ ...firstOf(hundred), near: new Set(range(0, 20)) }, hundred).rows;
  const other = range(200, 300);
  const { keys } = rowsAfter(shown, other);
  const before = new Set(shown.keys.values());
  expect(other.filter((id) => before.has(keys.get(id) ?? -1))).toEqual(range(220, 300));
  expect(new Set(keys.values()).size).toBe(100);
  // Of rows that were there the elements are their own, wherever they go.
  const turned = rowsAfter(shown, hundred.toReversed()).keys;
  expect(hundred.filter((id) => turned.get(id) !== shown.keys.get(id))).toEqual([]);
  const back = rowsAfter({ ...shown, keys, near: new Set(), drawn: new Set() }, hundred).keys;
  expect(new Set(back.values()).size).toBe(100);
});

it('no row loses its cells before it is known which rows are near', () => {
  expect(nextStep(firstOf(hundred), hundred)).toBeUndefined();
  expect(firstOf(hundred).drawn.size).toBeGreaterThan(0);
});

it('all rows are drawn for a search in the page', () => {
  const { rows } = settled({ ...firstOf(hundred), near: new Set([0]), isWhole: true }, hundred);
  expect(rows.drawn.size).toBe(100);
});

it('existing rows stay drawn when some come or go; another list starts over', () => {
  const shown: Rows = { ...firstOf(hundred), near: new Set(range(0, 20)) };
  const { rows } = settled(shown, hundred);
  expect(sorted(rowsAfter(rows, range(1, 101)).drawn)).toEqual(range(1, 20));
  expect(sorted(rowsAfter(rows, range(200, 300)).drawn)).toEqual([200, 201]);
  expect(rowsAfter({ ...rows, isWhole: true }, range(1, 101)).isWhole).toBe(false);
});
