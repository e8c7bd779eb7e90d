import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noUsage } from '../chat/usage.ts';
import { priceOf, quotaOf, timesPerCall } from './price.ts';

const sources = {
  catalogue: { find: () => undefined },
  options: {
    ModelRatio: { tokens: 2 },
    CompletionRatio: {},
    ModelPrice: { picture: 0.04, fine: 0.0123 },
    CacheRatio: {},
    CreateCacheRatio: {},
    'tool_price_setting.prices': {},
    PriceDimensions: {},
    GroupRatio: { default: 1, half: 0.5 },
    GroupGroupRatio: {},
    'group_setting.former_names': {},
    SelfUseModeEnabled: false,
    QuotaPerUnit: 500_000,
  },
};

test('a price per call is paid once for each picture, exactly, and rounded once', () => {
  const price = priceOf(sources, 'picture', 'default', 'half');
  expect([0.4, 0.45, 1, 2, 3, 30].map((factor) => quotaOf(timesPerCall(price, factor), noUsage))).toEqual([
    4000, 4500, 10_000, 20_000, 30_000, 300_000,
  ]);
  const fine = priceOf(sources, 'fine', 'default', 'default');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 128 }), (pictures) => {
      expect(quotaOf(timesPerCall(fine, pictures), noUsage)).toBe(6150 * pictures);
    }),
  );
});

test('a price by tokens is not multiplied', () => {
  const price = priceOf(sources, 'tokens', 'default', 'default');
  expect(timesPerCall(price, 30)).toBe(price);
});
