import fc from 'fast-check';
import { expect, it } from 'vitest';
import { piecesOf } from './pieces-of.ts';

const START = 1_763_676_000;

it('a piece has the sum of its part of the span', () => {
  const hours = [0, 1, 3].map((hour) => ({ at: START + hour * 3600, value: hour + 1 }));
  expect(piecesOf(hours, { from: START, to: START + 4 * 3600 - 1 }, 4)).toEqual([1, 2, 0, 4]);
  expect(piecesOf(hours, { from: START, to: START + 4 * 3600 - 1 }, 2)).toEqual([3, 4]);
});

it('the pieces add up to the total, however many there are', () => {
  const counted = fc.record({
    at: fc.integer({ min: START - 3600, max: START + 90_000 }),
    value: fc.nat(1e9),
  });
  fc.assert(
    fc.property(fc.array(counted), fc.integer({ min: 1, max: 48 }), (all, count) => {
      const pieces = piecesOf(all, { from: START, to: START + 86_399 }, count);
      expect(pieces).toHaveLength(count);
      expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(
        all.reduce((sum, one) => sum + one.value, 0),
      );
    }),
  );
});
