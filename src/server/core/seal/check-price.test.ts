import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { completionTokens, noUsage, promptTokens, type Usage } from '../chat/usage.ts';
import { receiptOf } from '../quota/price-steps.ts';
import { priceFrom } from '../quota/price.ts';
import { factorsOf } from '../quota/testing/price-factors.ts';
import { priceProblems } from './check-price.ts';

/** Anybody who has a receipt can calculate its amount again. */

const callOf = (usage: Usage, details: Record<string, unknown>, units: number) => ({
  tollgate: 'call' as const,
  version: 1 as const,
  user: 1,
  at: 0,
  salt: '',
  request_id: 'a',
  token: 1,
  model: 'm',
  prompt_tokens: promptTokens(usage),
  completion_tokens: completionTokens(usage),
  units,
  details,
});
const price = priceFrom(factorsOf({ modelRatio: 0.75, completionRatio: 4, groupRatio: 1.1 }), 500_000);
const usage = { ...noUsage, inputTokens: 1000, cacheReadTokens: 333, outputTokens: 77 };
const receipt = receiptOf(price, usage);
const units = receipt.price_units ?? 0;
const [first, ...rest] = receipt.price_steps;

describe('the price of a receipt', () => {
  test('comes out of its own lines, whatever was priced', () => {
    const count = fc.nat(1_000_000);
    const ratio = fc.integer({ min: 0, max: 10_000_000 }).map((n) => n / 1_000_000);
    fc.assert(
      fc.property(ratio, ratio, ratio, ratio, count, count, count, fc.boolean(), (...drawn) => {
        const [modelRatio, completionRatio, groupRatio, modelPrice, input, cached, output, isByCall] = drawn;
        const factors = { modelRatio, completionRatio, groupRatio, modelPrice: isByCall ? modelPrice : -1 };
        const used = { ...noUsage, inputTokens: input, cacheReadTokens: cached, outputTokens: output };
        const made = receiptOf(priceFrom(factorsOf(factors), 500_000), used);
        expect(priceProblems(callOf(used, { ...made }, made.price_units ?? 0))).toEqual([]);
      }),
    );
  });

  it('may be partly the loss of the house', () => {
    expect(priceProblems(callOf(usage, { ...receipt, not_charged_units: 9 }, units - 9))).toEqual([]);
    expect(priceProblems(callOf(usage, { ...receipt }, units - 9))).toMatchObject([/its price is/]);
  });

  it.each<[string, object, number, RegExp]>([
    ['more charged', {}, units + 1, /its price is/],
    ['another rounding', { price_units: units + 1 }, units + 1, /rounded is not/],
    ['another sum', { price_sum: '1' }, 1, /do not come to 1/],
    [
      'a factor that is not in the product',
      { price_steps: [{ ...first, unitsEach: '9' }, ...rest] },
      units,
      /factors of/,
    ],
    [
      'a line that is not its product',
      { price_steps: [{ ...first, units: '9' }, ...rest] },
      units,
      /are not 9/,
    ],
    ['tokens nobody used', { price_steps: [{ ...first, count: 5000 }, ...rest] }, units, /and it says 1333/],
    ['a line less', { price_steps: rest }, units, /do not come to/],
    ['no price stated, and anything charged', { price_units: null }, 1_000_000, /and none is stated/],
    [
      'a price for the call beside that of its tokens',
      {
        price_steps: [
          ...receipt.price_steps,
          { bucket: 'call', count: 1, factors: {}, unitsEach: '1', units: '1' },
        ],
      },
      units,
      /a price for the call, and another beside it/,
    ],
    [
      'a surcharge for sound that was not cached',
      {
        price_steps: [
          ...receipt.price_steps,
          { bucket: 'audioCacheReadTokens', count: 9000, factors: {}, unitsEach: '1', units: '9000' },
        ],
      },
      units,
      /more sound and pictures than were cached/,
    ],
    ['no decimals', { price_sum: 'NaN' }, units, /cannot be read/],
    ['no lines', { price_steps: 'many' }, units, /cannot be read/],
    ['a number that takes long', { price_sum: '9'.repeat(500) }, units, /cannot be read/],
  ])('does not hold with %s', (_, changes, charged, problem) => {
    const problems = priceProblems(callOf(usage, { ...receipt, ...changes }, charged));
    expect(problems?.join('\n')).toMatch(problem);
  });

  it('is not known of rows from before there were lines, or before lines had factors and a sum', () => {
    expect(priceProblems(callOf(usage, {}, 5))).toBeUndefined();
    const old = { price_steps: [{ bucket: 'inputTokens', count: 1000, unitsEach: '0.075', units: '75' }] };
    expect(priceProblems(callOf(usage, old, 75))).toBeUndefined();
  });
});
