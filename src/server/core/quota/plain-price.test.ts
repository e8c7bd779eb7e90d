import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noUsage } from '../chat/usage.ts';
import { plainAmount } from './plain-price.ts';
import { priceBuckets } from './price-factors.ts';
import { amountOf, priceFrom, quotaOf, wholeUnits } from './price.ts';
import { factorsOf } from './testing/price-factors.ts';

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

const ratio = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1000),
  fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 97 })).map(([a, b]) => a / b),
);
const counts = fc.tuple(...priceBuckets.map(() => fc.integer({ min: 0, max: 20_000_000 })));

test('an amount in doubles is the one in big integers, and there is none where that would not be sure', () => {
  const seen = { plain: 0, big: 0 };
  fc.assert(
    fc.property(fc.array(ratio, { minLength: 4, maxLength: 4 }), counts, (ratios, tokens) => {
      const [modelRatio = 1, completionRatio = 1, cacheRatio = 1, groupRatio = 1] = ratios;
      const price = priceFrom(factorsOf({ modelRatio, completionRatio, cacheRatio, groupRatio }), 500_000);
      const usage = {
        ...noUsage,
        ...Object.fromEntries(priceBuckets.map((bucket, at) => [bucket, tokens[at] ?? 0])),
      };
      const exact = amountOf(price, usage);
      const plain = plainAmount(price, usage);
      expect(plain === undefined ? 'too big' : BigInt(plain)).toBe(exact > MOST ? 'too big' : exact);
      expect(quotaOf(price, usage)).toBe(wholeUnits(exact, price));
      seen[plain === undefined ? 'big' : 'plain'] += 1;
    }),
  );
  expect(seen.plain).toBeGreaterThan(0);
  expect(seen.big).toBeGreaterThan(0);
});
