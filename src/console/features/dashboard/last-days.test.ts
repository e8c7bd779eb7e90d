import { expect, it } from 'vitest';
import type { UrlState } from '../../lib/browser/url-state.ts';
import { lastDays, rangeOf } from './last-days.ts';

const at = Date.parse('2026-11-22T10:20:30Z') / 1000;

it('the last three days are 72 whole hours, the running one included', () => {
  const { from, to } = lastDays(at, 3);
  expect([from, to + 1]).toEqual([
    Date.parse('2026-11-19T11:00:00Z') / 1000,
    Date.parse('2026-11-22T11:00:00Z') / 1000,
  ]);
});

it('an address names the last days or a custom range; an invalid one means the last three days', () => {
  const three = { span: lastDays(at, 3), preset: 3 };
  expect(rangeOf({}, at)).toEqual(three);
  expect(rangeOf({ days: '30' }, at)).toEqual({ span: lastDays(at, 30), preset: 30 });
  expect(rangeOf({ from: '1000', to: '2000' }, at)).toEqual({
    span: { from: 1000, to: 2000 },
    preset: undefined,
  });
  expect(rangeOf({ to: '259199' }, at)).toEqual({ span: { from: 0, to: 259_199 }, preset: undefined });
  const oddities: readonly UrlState[] = [
    { days: '4' },
    { from: '2000', to: '1000' },
    { from: 'x' },
    { from: '-1' },
  ];
  for (const odd of oddities) expect(rangeOf(odd, at)).toEqual(three);
});
