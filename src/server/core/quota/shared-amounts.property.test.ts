import fc from 'fast-check';
import { expect, it } from 'vitest';
import { affordedTokens, holdPlan, outputLimitOf, sharedAmounts } from './afford.ts';
import { holdFor } from './estimate.ts';
import { priceFrom } from './price.ts';
import { factorsOf } from './testing/price-factors.ts';

/**
 * Whatever a share is: a whole reply is limited to what is held for it, is not begun with less than it probably needs,
 * and never holds more than it would without others.
 */

const prices = fc
  .record({
    modelRatio: fc.constantFrom(0.003, 1, 7.3),
    completionRatio: fc.constantFrom(0.5, 1, 4),
    groupRatio: fc.constantFrom(0.3, 1),
    createCacheRatio: fc.constantFrom(1, 1.25),
    writesCache: fc.boolean(),
  })
  .map((factors) => priceFrom(factorsOf(factors), 500_000));

it('a share pays for the answer that is asked for, and for one like those before', () => {
  fc.assert(
    fc.property(
      fc.record({
        price: prices,
        inputTokens: fc.nat(20_000),
        named: fc.option(fc.integer({ min: 1, max: 64_000 }), { nil: undefined }),
        choices: fc.constantFrom(1, 3),
        thinks: fc.boolean(),
        share: fc.nat(200_000),
        longest: fc.integer({ min: 0, max: 9000 }),
        part: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      ({ price, inputTokens, named, choices, thinks, share, longest, part }) => {
        const size = { inputTokens, maxOutputTokens: named, choices, leastInputTokens: 0 };
        const asked = {
          price,
          size,
          style: 'whole',
          isLimitForeign: false,
          thinks,
          hidesThoughts: false,
        } as const;
        const { quotaUnits, leastUnits } = sharedAmounts(asked, share, longest);
        expect(leastUnits).toBeLessThanOrEqual(quotaUnits);
        expect(quotaUnits).toBeLessThanOrEqual(holdPlan(asked).quotaUnits);
        const held = Math.floor(leastUnits + (quotaUnits - leastUnits) * part);
        const limit = outputLimitOf(asked, { quotaUnits: held, payableUnits: held }) ?? named ?? 0;
        expect(holdFor(price, { ...size, maxOutputTokens: limit })).toBeLessThanOrEqual(held);
        expect(limit).toBeGreaterThanOrEqual(Math.min(longest, 256, named ?? Infinity));
        expect(limit).toBeLessThanOrEqual(affordedTokens(price, size, held));
      },
    ),
    { numRuns: 300 },
  );
});
