import { expect, test } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { priceFrom } from '#core/quota/price.ts';
import { factorsOf } from '#core/quota/testing/price-factors.ts';
import { priceText } from './price-fields.ts';

test('a row says what its call cost: by the call, also where that is free, else by its tokens', () => {
  const textOf = (changes: Parameters<typeof factorsOf>[0]) =>
    priceText(priceFrom(factorsOf(changes), initialOptions.QuotaPerUnit));
  expect(textOf({ modelPrice: 0.5, groupRatio: 2 })).toBe('model price 0.5, group ratio 2');
  expect(textOf({ modelPrice: 0 })).toBe('model price 0, group ratio 1');
  expect(textOf({ modelRatio: 3 })).toBe('model ratio 3, completion ratio 2, group ratio 1');
});
