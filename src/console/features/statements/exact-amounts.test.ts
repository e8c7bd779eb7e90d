import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountsInOrder, amountsOf, amountsWithRest, countedAsIssued } from './exact-amounts.ts';

const dollars = { quota_per_unit: 500_000, display_in_currency: true };
const inUnits = { quota_per_unit: 500_000, display_in_currency: false };

test('amounts shown together are exact, with the same number of decimals', () => {
  const shown = (units: readonly number[], display = dollars) => units.map(amountsOf(units, display));
  expect(shown([0, 25_000_000, -28_900, 24_971_100])).toEqual([
    '$0.0000',
    '$50.0000',
    '−$0.0578',
    '$49.9422',
  ]);
  expect(shown([25_000_000, -5000])).toEqual(['$50.00', '−$0.01']);
  expect(shown([617_283_000_001, -39])).toEqual(['$1,234,566.000002', '−$0.000078']);
  expect(shown([])).toEqual([]);
  expect(shown([12_345, -617_283], inUnits)).toEqual(['12,345', '-617,283']);
});

test("a statement uses the units per dollar of its issue; an old one without them uses the site's", () => {
  const shown = (statement: { units_per_dollar?: number }) =>
    amountsOf([500_000], countedAsIssued(statement))(500_000);
  expect([shown({ units_per_dollar: 1_000_000 }), shown({})]).toEqual(['$0.50', '$1.00']);
});

test('the displayed amounts add up to the displayed sum', () => {
  const steps = (text: string): number =>
    Math.round(Number(text.replace(/[$,]/g, '').replace('−', '-')) * 1e6);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9e8, max: 9e8 }), { maxLength: 12 }), (parts) => {
      const sum = parts.reduce((total, one) => total + one, 0);
      const shown = amountsOf([...parts, sum], dollars);
      expect(parts.reduce((total, one) => total + steps(shown(one)), 0)).toBe(steps(shown(sum)));
    }),
  );
});

test('lines add up to the last one also where a unit has more decimals than are shown', () => {
  const fine = { quota_per_unit: 3_000_000, display_in_currency: true };
  const lines = [1, 1, 1, 2, 5];
  expect(amountsInOrder(lines, fine)(lines, 'sum')).toEqual([
    '$0.000000',
    '$0.000001',
    '$0.000000',
    '$0.000001',
    '$0.000002',
  ]);
  expect(amountsInOrder([1, 1, 1], fine)([1, 1, 1], 'line')).toEqual(['$0.000000', '$0.000001', '$0.000000']);
  expect(amountsInOrder([3, -1, 2], dollars)([3, -1, 2], 'sum')).toEqual([
    '$0.000006',
    '−$0.000002',
    '$0.000004',
  ]);
  expect(amountsInOrder([3, -1, 2], inUnits)([3, -1, 2], 'sum')).toEqual(['3', '-1', '2']);
});

test('lines and what the list leaves out add up to the total', () => {
  expect(amountsWithRest([600_000, 250_001], 1_000_000)).toEqual({
    amounts: ['$1.2000', '$0.5000', '$0.3000'],
    restUnits: 149_999,
    rest: '$0.3000',
    total: '$2.0000',
  });
  expect(amountsWithRest([500_000], 500_000)).toMatchObject({ restUnits: 0, total: '$1.00' });
});
