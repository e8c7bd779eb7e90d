import fc from 'fast-check';
import { expect, it } from 'vitest';
import { axisOf, marked } from './chart-axis.ts';

it('the highest bar fills at least half of the chart, and none exceeds it', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), { minLength: 1 }), (sums) => {
      const { top, steps } = axisOf(sums);
      const most = Math.max(...sums);
      expect(top).toBeGreaterThanOrEqual(most * (1 - 1e-6));
      expect(most / top).toBeGreaterThan(0.49);
      expect([1, 2, 3, 4, 5]).toContain(steps);
    }),
  );
});

it('an axis ends at the next step, not at the next round number', () => {
  expect(axisOf([0.2003, 0.1])).toEqual({ top: 0.25, steps: 5 });
  expect(axisOf([0.037])).toEqual({ top: 0.04, steps: 4 });
  expect(axisOf([130_000])).toEqual({ top: 150_000, steps: 3 });
});

it('whole numbers have whole steps', () => {
  expect(axisOf([1])).toEqual({ top: 1, steps: 1 });
  expect(axisOf([3, 2])).toEqual({ top: 3, steps: 3 });
  expect(axisOf([11])).toEqual({ top: 15, steps: 3 });
});

it('hours are marked at midnight and at equal parts of the day', () => {
  const times = Array.from({ length: 73 }, (_, at) => ({ full: '', mark: '', place: at + 11 }));
  const hoursAt = (room: number): readonly number[] =>
    times.filter((_, at) => marked(times, room)[at]).map(({ place }) => place % 24);
  expect(new Set(hoursAt(4))).toEqual(new Set([0]));
  expect(new Set(hoursAt(7))).toEqual(new Set([12, 0]));
});
