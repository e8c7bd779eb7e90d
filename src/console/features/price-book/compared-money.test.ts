import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Compared, comparedMargin, comparedMoney } from './compared-money.ts';

const stepsOf = (text: string): number =>
  Math.round(Number(text.replace(/[$,+]/g, '').replace('−', '-')) * 1e6);
const addsUp = ({ now, draft, more }: Compared): boolean => stepsOf(draft) - stepsOf(now) === stepsOf(more);

test('the difference of a preview is that of the two amounts as they are shown', () => {
  // Each rounded by itself: $1.00, $2.01 and +$1.00.
  expect(comparedMoney([1.004, 2.006])).toEqual({ now: '$1.00', draft: '$2.01', more: '+$1.01' });
  expect(comparedMoney([2, 1.5])).toEqual({ now: '$2.0000', draft: '$1.5000', more: '−$0.5000' });
  expect(comparedMoney([12.5, 12.5])).toEqual({ now: '$12.50', draft: '$12.50', more: '$0.00' });
  const dollars = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(fc.property(dollars, dollars, (now, draft) => addsUp(comparedMoney([now, draft]))));
});

test('revenue, cost and margin of a preview add up in both directions', () => {
  const dollars = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(dollars, dollars, dollars, (now, draft, paid) => {
      const { revenue, cost, margin } = comparedMargin([now, draft], [now, draft], paid);
      expect([revenue, cost, margin].map(addsUp)).toEqual([true, true, true]);
      for (const column of ['now', 'draft', 'more'] as const)
        expect(stepsOf(revenue[column]) - stepsOf(cost[column])).toBe(stepsOf(margin[column]));
    }),
  );
});
