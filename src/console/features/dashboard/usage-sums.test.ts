import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  beginningsOf,
  byModel,
  changeOf,
  seriesOf,
  spanBefore,
  stretchOfBar,
  totalOf,
  type UsageHour,
  withSign,
} from './usage-sums.ts';

const START = 1_763_676_000;

const hourOf = fc.record({
  model_name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  count: fc.nat(1000),
  quota: fc.nat(10_000_000),
  token_used: fc.nat(1_000_000),
  created_at: fc.nat(71).map((hour) => START + hour * 3600),
});

it('rows, bars and lists add up to the same units, by hour, day and week', () => {
  fc.assert(
    fc.property(
      fc.array(hourOf, { maxLength: 60 }),
      fc.constantFrom('hour' as const, 'day' as const, 'week' as const),
      fc.constantFrom('quota' as const, 'count' as const, 'token_used' as const),
      (hours: UsageHour[], step, metric) => {
        const beginnings = beginningsOf({ from: START, to: START + 72 * 3600 }, step);
        const bars = seriesOf(hours, metric, beginnings, 'other');
        const inBars = bars.flatMap((one) => one.values).reduce((sum, value) => sum + value, 0);
        const inList = byModel(hours, metric).reduce((sum, { value }) => sum + value, 0);
        expect([inBars, inList]).toEqual([totalOf(hours, metric), totalOf(hours, metric)]);
      },
    ),
  );
});

it('shows every hour of three days, including those without usage', () => {
  expect(beginningsOf({ from: START, to: START + 72 * 3600 }, 'hour')).toHaveLength(73);
});

it('the seven largest models have their own series, the rest share one', () => {
  const hours = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((model_name, at) => ({
    model_name,
    count: 1,
    quota: 100 - at,
    token_used: 1,
    created_at: START,
  }));
  const bars = seriesOf(hours, 'quota', beginningsOf({ from: START, to: START }, 'hour'), 'other');
  expect(bars.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'other']);
  expect(bars.at(-1)?.values).toEqual([93 + 92]);
});

it('a span is compared with the previous one of the same length', () => {
  expect(spanBefore({ from: 1000, to: 1099 })).toEqual({ from: 900, to: 999 });
  expect([changeOf(150, 100), changeOf(50, 100), changeOf(5, 0)]).toEqual([0.5, -0.5, undefined]);
});

it('the bars of a span meet without gap or overlap, and end with it', () => {
  const span = { from: START + 600, to: START + 5 * 3600 + 59 };
  const beginnings = beginningsOf(span, 'hour');
  const bars = beginnings.map((_, at) => stretchOfBar(span, beginnings, at));
  expect([bars[0]?.from, bars.at(-1)?.to]).toEqual([span.from, span.to]);
  for (const [at, bar] of bars.slice(1).entries()) expect(bar.from).toBe((bars[at]?.to ?? 0) + 1);
});

it('a difference that rounds to zero has no sign', () => {
  expect([withSign(true, '0.0 pts'), withSign(false, '0.0%'), withSign(true, '0.1 pts')]).toEqual([
    '±0.0 pts',
    '±0.0%',
    '−0.1 pts',
  ]);
});
