import { expect, it } from 'vitest';
import { daysLeft, roundedPace } from './pace.ts';

const DAY_S = 86_400;
const span = { from: 0, to: 3 * DAY_S - 1 };

it("a balance lasts for as many days as the span's rate of use gives", () => {
  expect(daysLeft(1200, 300, span, 10 * DAY_S)).toBe(12);
});

it('the future part of the span does not lower the rate', () => {
  expect(daysLeft(1200, 300, span, DAY_S)).toBe(4);
});

it('without use or balance there is no estimate', () => {
  expect(daysLeft(1200, 0, span, DAY_S)).toBeUndefined();
  expect(daysLeft(0, 300, span, DAY_S)).toBeUndefined();
  expect(daysLeft(1200, 300, span, 0)).toBeUndefined();
});

it.each([
  [0.001, { unit: 'hours', count: 1 }],
  [1.5, { unit: 'hours', count: 36 }],
  [12.4, { unit: 'days', count: 12 }],
  [366, { unit: 'long', count: 0 }],
])('%d days are shown in a readable unit', (days, told) => {
  expect(roundedPace(days)).toEqual(told);
});
