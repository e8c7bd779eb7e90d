import { expect, it } from 'vitest';
import { dayName, daysUntil } from './shown-days.ts';

it('shows the last thirty UTC days, including those without usage', () => {
  const day = Date.UTC(2026, 1, 27) / 1000;
  const used = { day, calls: 2, prompt_tokens: 3, completion_tokens: 4, units: 5 };
  const days = daysUntil(Date.UTC(2026, 2, 1, 23, 59), [used]);
  expect(days).toHaveLength(30);
  expect(days.at(-3)).toEqual(used);
  expect(days.map((one) => dayName(one.day)).slice(-3)).toEqual(['02-27', '02-28', '03-01']);
  expect(dayName(days[0]!.day)).toBe('01-31');
  expect(days.reduce((sum, { units }) => sum + units, 0)).toBe(5);
});
