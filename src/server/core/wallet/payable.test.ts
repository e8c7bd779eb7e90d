import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountUnits, centsText, leastAmount, payableCents, readCents } from './payable.ts';

const options = {
  DisplayInCurrencyEnabled: true,
  QuotaPerUnit: 500_000,
  Price: 7.3,
  TopupGroupRatio: { default: 1, vip: 0.9, free: 0 },
  MinTopUp: 1,
  GroupRatio: { vip: 1 },
  'group_setting.former_names': { silver: 'vip' },
};
const raw = { ...options, DisplayInCurrencyEnabled: false };

describe('what quota costs', () => {
  it.each([
    [1, 'default', '7.30'],
    [10, 'vip', '65.70'],
    [10, 'silver', '65.70'],
    [10, 'unknown', '73.00'],
    [10, 'constructor', '73.00'],
    [10, 'free', '73.00'],
  ])('%i dollars in group %s: %s', (amount, group, text) => {
    expect(centsText(payableCents(options, group, amountUnits(options, amount)))).toBe(text);
  });

  it('is the same counted in quota', () => {
    expect(amountUnits(raw, 500_000)).toBe(amountUnits(options, 1));
    expect([leastAmount(options), leastAmount(raw)]).toEqual([1, 500_000]);
  });

  it('rounds once, half up, and never drifts', () => {
    const priced = (Price: number, units: number) => payableCents({ ...options, Price }, 'default', units);
    expect(priced(0.005, 500_000)).toBe(1n);
    expect(priced(0.0049, 500_000)).toBe(0n);
    // In binary, 0.1 + 0.2 would give a wrong result here.
    expect(priced(0.3, 500_000 * 3_333_333)).toBe(99_999_990n);
  });
});

describe('amounts of money as text', () => {
  it('read back as what was written', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e12 }), (cents) => {
        expect(readCents(centsText(cents))).toBe(cents);
      }),
    );
  });

  it.each(['', '-1', '1e3', '1.234', '1,00', 'NaN', ' 1 2', '12345678901234'])('%j is none', (text) => {
    expect(readCents(text)).toBeUndefined();
  });
});
