import { expect, it } from 'vitest';
import { addedUp, marginOf, type MarginShare, seriesOverTime } from './margins.ts';

const share = (changes: Partial<MarginShare>): MarginShare => ({
  id: 0,
  name: '',
  count: 1,
  quota: 0,
  cost_nano_usd: 0,
  uncosted: 0,
  uncosted_quota: 0,
  ...changes,
});

it('the margin leaves out charges for calls of unknown cost', () => {
  const one = share({ count: 3, quota: 1000, cost_nano_usd: 250_000_000, uncosted: 1, uncosted_quota: 400 });
  expect(marginOf(one, 1000)).toEqual({
    calls: 3,
    revenue: 1,
    cost: 0.25,
    margin: 0.35,
    unknownCalls: 1,
    unknownRevenue: 0.4,
  });
});

it('no hours add up to zeros', () => {
  expect(addedUp([])).toMatchObject({ calls: 0, revenue: 0, margin: 0 });
});

it('a bar shows a loss exactly if it was sold below cost', () => {
  const [first, second] = [new Date(2026, 1, 1), new Date(2026, 1, 2)].map((day) => day.getTime()) as [
    number,
    number,
  ];
  const shares = [
    share({ id: first / 1000, quota: 1000, cost_nano_usd: 250_000_000 }),
    share({ id: second / 1000 + 3600, quota: 250, cost_nano_usd: 1_000_000_000 }),
  ];
  expect(seriesOverTime(shares, 'day', [first, second], 1000)).toEqual([
    { part: 'cost', values: [0.25, 0.25] },
    { part: 'margin', values: [0.75, 0] },
    { part: 'loss', values: [0, 0.75] },
  ]);
});
