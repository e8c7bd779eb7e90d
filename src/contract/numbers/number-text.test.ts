import fc from 'fast-check';
import { expect, it } from 'vitest';
import { numberText, significantText } from './number-text.ts';

const intl = (amount: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat('en-US', options).format(amount);
const decimals = (least: number, most: number) => ({
  minimumFractionDigits: least,
  maximumFractionDigits: most,
});

it('writes every number as the browser does', () => {
  const amount = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e18, max: 1e18 }),
    fc.integer(),
    fc.integer({ min: -1e9, max: 1e9 }).map((units) => units / 500_000),
    fc.integer({ min: -1e6, max: 1e6 }).map((parts) => parts / 1000),
  );
  const places = fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 16 }));
  fc.assert(
    fc.property(amount, places, (one, [least, more]) => {
      const shown = Object.is(one, -0) ? 0 : one;
      expect(numberText(shown, least, least + more)).toBe(intl(shown, decimals(least, least + more)));
    }),
    { numRuns: 2000 },
  );
});

it('rounds half up, also where the binary fraction is a little less', () => {
  expect([1.005, 0.00005, 2.5, 999.995, 0.5].map((one) => numberText(one, 2))).toEqual([
    '1.01',
    '0.00',
    '2.50',
    '1,000.00',
    '0.50',
  ]);
  expect([numberText(9_007_199_254_740_991, 0), numberText(1e21, 0), numberText(1e-7, 0, 20)]).toEqual([
    '9,007,199,254,740,991',
    '1,000,000,000,000,000,000,000',
    '0.0000001',
  ]);
});

it('shows the first digits of a small number', () => {
  const small = fc.double({ noNaN: true, min: 1e-12, max: 1e-4 });
  fc.assert(
    fc.property(small, (one) => {
      expect(significantText(one, 4)).toBe(intl(one, { maximumSignificantDigits: 4 }));
    }),
  );
});
