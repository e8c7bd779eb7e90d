import fc from 'fast-check';
import { expect, it } from 'vitest';
import { piecesOf } from './priced-calls.ts';

const HOUR_MS = 3_600_000;

it('pieces of a time are all of it, none of it twice, and busy hours have many', () => {
  const hours = fc.uniqueArray(fc.tuple(fc.nat(30), fc.nat(100_000)), { selector: ([hour]) => hour });
  fc.assert(
    fc.property(
      fc.nat(20 * HOUR_MS),
      fc.nat(20 * HOUR_MS),
      hours,
      fc.integer({ min: 1, max: 50_000 }),
      (...of) => {
        const [fromMs, longMs, counted, each] = of;
        const toMs = fromMs + longMs;
        const pieces = piecesOf({ fromMs, toMs }, new Map(counted), each);
        expect(pieces[0]?.fromMs).toBe(fromMs);
        expect(pieces.at(-1)?.toMs).toBe(toMs);
        const begins = pieces.map((piece) => piece.fromMs);
        expect(pieces.filter((piece) => piece.toMs < piece.fromMs)).toEqual([]);
        expect(pieces.slice(0, -1).map((piece) => piece.toMs + 1)).toEqual(begins.slice(1));
      },
    ),
    { numRuns: 30 },
  );
  const even = piecesOf(
    { fromMs: 0, toMs: 4 * HOUR_MS - 1 },
    new Map([
      [1, 100],
      [3, 10],
    ]),
    25,
  );
  expect(even.map(({ fromMs }) => fromMs / HOUR_MS)).toEqual([0, 1, 1.25, 1.5, 1.75, 3]);
});
