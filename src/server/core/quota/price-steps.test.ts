import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paidTools } from '#contract/options/tool-prices.ts';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { noUsage, type Usage } from '../chat/usage.ts';
import { priceBuckets, type PriceFactors } from './price-factors.ts';
import { receiptOf } from './price-steps.ts';
import { priceFrom, quotaOf, timesPerCall } from './price.ts';
import { factorsOf } from './testing/price-factors.ts';

/** A decimal as a fraction, read here apart from the code that wrote it. */
const fraction = (text: string): readonly [amount: bigint, scale: bigint] => {
  const [whole = '', places = ''] = text.split('.');
  return [BigInt(whole + places), 10n ** BigInt(places.length)];
};
const times = (texts: readonly string[]): readonly [bigint, bigint] =>
  texts
    .map(fraction)
    .reduce(([amount, scale], [more, moreScale]) => [amount * more, scale * moreScale], [1n, 1n]);
const isSame = ([amount, scale]: readonly [bigint, bigint], text: string): boolean => {
  const [other, otherScale] = fraction(text);
  return amount * otherScale === other * scale;
};

// As operators type them, and with all the places that a division leaves.
const ratio = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }).map((thousandths) => thousandths / 1000),
  fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 97 })).map(([a, b]) => a / b),
);
const tokens = fc.integer({ min: 0, max: 200_000 });
const ratios = fc.record({
  modelRatio: ratio,
  completionRatio: ratio,
  cacheRatio: ratio,
  createCacheRatio: ratio,
  imageRatio: ratio,
  audioRatio: ratio,
  audioCompletionRatio: ratio,
  imageCompletionRatio: ratio,
  groupRatio: ratio,
  toolPrices: fc.dictionary(fc.constantFrom(...paidTools), ratio),
});
const factors: fc.Arbitrary<PriceFactors> = fc
  .tuple(ratios, fc.option(ratio), fc.boolean())
  .map(([given, perCall, isSpecial]) =>
    factorsOf({
      ...given,
      userGroupRatio: isSpecial ? given.groupRatio : -1,
      ...(perCall === null ? {} : { modelPrice: perCall, modelRatio: -1 }),
    }),
  );
const usages: fc.Arbitrary<Usage> = fc
  .tuple(
    fc.tuple(...priceBuckets.map(() => tokens)),
    fc.dictionary(fc.constantFrom(...paidTools), fc.integer({ min: 1, max: 40 })),
  )
  .map(([counts, toolCalls]) => ({
    ...noUsage,
    ...Object.fromEntries(priceBuckets.map((bucket, at) => [bucket, counts[at] ?? 0])),
    toolCalls,
  }));
const quotaPerUnit = fc.constantFrom(1, 1000, 500_000, 123_457);

test('every line of a receipt is the product it says, and all of them add up to the charged units', () => {
  fc.assert(
    fc.property(factors, usages, quotaPerUnit, fc.oneof(fc.constant(1), ratio), (of, usage, each, count) => {
      const price = timesPerCall(priceFrom(of, each), count);
      const receipt = receiptOf(price, usage);
      let [sum, scale] = [0n, 1n];
      for (const step of receipt.price_steps) {
        expect(isSame(times(Object.values(step.factors)), step.unitsEach)).toBe(true);
        expect(isSame(times([String(step.count), step.unitsEach]), step.units)).toBe(true);
        const [amount, amountScale] = fraction(step.units);
        [sum, scale] = [sum * amountScale + amount * scale, scale * amountScale];
      }
      expect(isSame([sum, scale], receipt.price_sum)).toBe(true);
      const rounded = sum === 0n ? 0n : (sum * 2n + scale) / (scale * 2n);
      const atLeastOne = sum > 0n && rounded === 0n ? 1n : rounded;
      const isTooMuch = atLeastOne > BigInt(MAX_QUOTA_UNITS);
      expect(receipt.price_units).toBe(isTooMuch ? null : Number(atLeastOne));
      expect(quotaOf(price, usage) ?? null).toBe(receipt.price_units);
    }),
  );
});

test('a receipt names what each price is multiplied from, in the order it is shown', () => {
  const known = { modelRatio: 0.075, completionRatio: 4, cacheRatio: 0.5, createCacheRatio: 1.25 };
  const price = priceFrom(factorsOf({ ...known, groupRatio: 1.5, toolPrices: { web_search: 10 } }), 500_000);
  const used = { inputTokens: 10, cacheWrite1hTokens: 100, outputTokens: 3, toolCalls: { web_search: 2 } };
  const receipt = receiptOf(price, { ...noUsage, ...used });
  expect(receipt).toEqual({
    price_steps: [
      {
        bucket: 'inputTokens',
        count: 10,
        factors: { modelRatio: '0.075', groupRatio: '1.5' },
        unitsEach: '0.1125',
        units: '1.125',
      },
      {
        bucket: 'cacheWrite1hTokens',
        count: 100,
        factors: { modelRatio: '0.075', createCacheRatio: '1.25', oneHour: '1.6', groupRatio: '1.5' },
        unitsEach: '0.225',
        units: '22.5',
      },
      {
        bucket: 'outputTokens',
        count: 3,
        factors: { modelRatio: '0.075', completionRatio: '4', groupRatio: '1.5' },
        unitsEach: '0.45',
        units: '1.35',
      },
      {
        bucket: 'web_search',
        count: 2,
        factors: { perThousandCalls: '10', quotaPerThousandth: '500', groupRatio: '1.5' },
        unitsEach: '7500',
        units: '15000',
      },
    ],
    price_sum: '15024.975',
    price_units: 15_025,
  });
  expect(Object.keys(receipt.price_steps[1]?.factors ?? {})).toEqual([
    'modelRatio',
    'createCacheRatio',
    'oneHour',
    'groupRatio',
  ]);
});

test('a price per call says how often it is paid, and the special ratio of the user group in place of the group’s', () => {
  const special = factorsOf({ modelPrice: 0.02, modelRatio: -1, groupRatio: 0.5, userGroupRatio: 0.5 });
  const price = priceFrom(special, 500_000);
  const factorsIn = (one: typeof price) =>
    receiptOf(one, noUsage).price_steps.map((step) => [step.factors, step.units]);
  expect(factorsIn(price)).toEqual([
    [{ perCall: '0.02', quotaPerUnit: '500000', userGroupRatio: '0.5' }, '5000'],
  ]);
  expect(factorsIn(timesPerCall(price, 3))).toEqual([
    [{ perCall: '0.02', quotaPerUnit: '500000', times: '3', userGroupRatio: '0.5' }, '15000'],
  ]);
});

test('a receipt names the group’s own ratio for a user, also one of 0', () => {
  const factorsAt = (userGroupRatio: number) =>
    receiptOf(priceFrom(factorsOf({ groupRatio: 0, userGroupRatio }), 500_000), {
      ...noUsage,
      inputTokens: 5,
    }).price_steps[0]?.factors;
  expect(factorsAt(0)).toMatchObject({ userGroupRatio: '0' });
  expect(factorsAt(-1)).toMatchObject({ groupRatio: '0' });
});

test('a line of sound or drawn pictures says so if it costs as text because nobody has set its price', () => {
  const price = priceFrom(factorsOf({ soldAsText: ['audioInputTokens', 'imageOutputTokens'] }), 500_000);
  const named = (usage: Partial<Usage>): readonly string[] =>
    receiptOf(price, { ...noUsage, ...usage })
      .price_steps.filter((step) => step.factors.asText !== undefined)
      .map((step) => `${step.bucket} ${String(step.factors.asText)}`);
  expect(named({ inputTokens: 5, audioInputTokens: 7, outputTokens: 9 })).toEqual(['audioInputTokens 1']);
  expect(named({ cacheReadTokens: 5, imageOutputTokens: 9 })).toEqual(['imageOutputTokens 1']);
  // Without words in the prompt, as in a transcription, the price was set for exactly this.
  expect(named({ audioInputTokens: 7, outputTokens: 9 })).toEqual([]);
  expect(receiptOf(price, { ...noUsage, inputTokens: 5, audioInputTokens: 7 }).price_units).toBe(
    quotaOf(price, { ...noUsage, inputTokens: 5, audioInputTokens: 7 }),
  );
});
