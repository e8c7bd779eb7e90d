import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dollarsOf, dollarsOfRatio, multipleOf, ratioOf } from './model-dollars.ts';

/** Dollars as somebody types them: up to six digits, down to a ten-thousandth of a cent. */
const typed = fc
  .integer({ min: 1, max: 999_999 })
  .chain((digits) => fc.integer({ min: 0, max: 6 }).map((places) => Number(`${digits}e-${places}`)));
const perUnit = fc.constantFrom(500_000, 100_000, 1_000_000, 7_300);

it('prices that were typed in dollars read back as they were typed, whatever a dollar is worth in quota', () => {
  fc.assert(
    fc.property(typed, typed, typed, typed, perUnit, (input, output, cacheRead, cacheWrite, quotaPerUnit) => {
      const perRatio = dollarsOfRatio(quotaPerUnit);
      const model = ratioOf(input, perRatio);
      const ratios = {
        model,
        completion: multipleOf(output, model, perRatio),
        cache: multipleOf(cacheRead, model, perRatio),
        create_cache: multipleOf(cacheWrite, model, perRatio),
      };
      expect(dollarsOf(ratios, perRatio)).toEqual({ input, output, cacheRead, cacheWrite });
    }),
  );
});

it('a ratio of 1 is two dollars where a dollar is 500,000 units', () => {
  const perRatio = dollarsOfRatio(500_000);
  expect(perRatio).toBe(2);
  expect(ratioOf(2.5, perRatio)).toBe(1.25);
  expect(multipleOf(10, 1.25, perRatio)).toBe(4);
});
