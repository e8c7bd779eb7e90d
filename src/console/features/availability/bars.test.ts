import { expect, test } from 'vitest';
import { barTime, levelOf } from './bars.ts';

test.each([
  [100, 'good'],
  [99, 'good'],
  [98.5, 'fair'],
  [95, 'fair'],
  [94.5, 'bad'],
  [0, 'bad'],
  [null, 'none'],
] as const)('%s percent is %s', (percent, level) => expect(levelOf(percent)).toBe(level));

test("a day is the server's UTC day in every time zone of the reader", () => {
  expect(barTime(1_795_392_000, 86_400)).toBe('2026-11-23 UTC');
  expect(barTime(1_795_392_000, 3600)).toMatch(/^2026-11-2\d \d\d:00$/);
});
