import { expect, it } from 'vitest';
import { lastDays } from './last-days.ts';

it('the last three days are 72 whole hours, the running one included', () => {
  const at = Date.parse('2026-11-22T10:20:30Z') / 1000;
  const { from, to } = lastDays(at);
  expect([from, to + 1]).toEqual([
    Date.parse('2026-11-19T11:00:00Z') / 1000,
    Date.parse('2026-11-22T11:00:00Z') / 1000,
  ]);
});
