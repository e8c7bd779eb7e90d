// @vitest-environment happy-dom
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatMargin } from './format-margin.ts';

/** The value of such a text in billionths of a dollar: none has as many decimals. */
const steps = (text: string): number => Math.round(Number(text.replace('−', '-').replace('$', '')) * 1e9);

it('the displayed charge, cost and margin add up, also with a loss', () => {
  expect(formatMargin(0.33449, 0.89672, 0)).toEqual({
    revenue: '$1.2312',
    cost: '$0.3345',
    margin: '$0.8967',
  });
  expect(formatMargin(2, -0.5, 0)).toEqual({ revenue: '$1.5000', cost: '$2.0000', margin: '−$0.5000' });
  const dollars = fc.double({ min: 0.001, max: 900, noNaN: true });
  fc.assert(
    fc.property(dollars, dollars, (charged, cost) => {
      const shown = formatMargin(cost, charged - cost, 0);
      expect(steps(shown.revenue) - steps(shown.cost)).toBe(steps(shown.margin));
    }),
  );
});
