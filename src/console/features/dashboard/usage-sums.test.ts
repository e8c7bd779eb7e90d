import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginningsOf, byModel, seriesOf, totalOf, type UsageHour } from './usage-sums.ts';

const START = 1_763_676_000;

const hourOf = fc.record({
  model_name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  count: fc.nat(1000),
  quota: fc.nat(10_000_000),
  token_used: fc.nat(1_000_000),
  created_at: fc.nat(71).map((hour) => START + hour * 3600),
});

it('no unit is lost between the rows, the bars and the lists, by hour, day and week', () => {
  fc.assert(
    fc.property(
      fc.array(hourOf, { maxLength: 60 }),
      fc.constantFrom('hour' as const, 'day' as const, 'week' as const),
      fc.constantFrom('quota' as const, 'count' as const, 'token_used' as const),
      (hours: UsageHour[], step, metric) => {
        const beginnings = beginningsOf({ from: START, to: START + 72 * 3600 }, step);
        const bars = seriesOf(hours, metric, step, beginnings, 'other');
        const inBars = bars.flatMap((one) => one.values).reduce((sum, value) => sum + value, 0);
        const inList = byModel(hours, metric).reduce((sum, { value }) => sum + value, 0);
        expect([inBars, inList]).toEqual([totalOf(hours, metric), totalOf(hours, metric)]);
      },
    ),
  );
});

it('shows every hour of three days, also the quiet ones', () => {
  expect(beginningsOf({ from: START, to: START + 72 * 3600 }, 'hour')).toHaveLength(73);
});

it('the five largest models have a colour of their own, the rest share one', () => {
  const hours = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((model_name, at) => ({
    model_name,
    count: 1,
    quota: 100 - at,
    token_used: 1,
    created_at: START,
  }));
  const bars = seriesOf(hours, 'quota', 'hour', beginningsOf({ from: START, to: START }, 'hour'), 'other');
  expect(bars.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'other']);
  expect(bars.at(-1)?.values).toEqual([95 + 94]);
});
