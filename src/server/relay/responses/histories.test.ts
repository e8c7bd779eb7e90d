import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Histories, type History } from './histories.ts';

const MAX_BYTES = 64 * 1024;

const keep = (histories: Histories, user: number, bytes: number): History | undefined =>
  histories.keep({
    responseId: 'resp_1',
    items: [Buffer.alloc(bytes, 1)],
    mayBeKept: false,
    user,
    address: `address ${String(user)}`,
  });

describe('histories', () => {
  test('never take more memory than allowed, in any order of keeping and dropping', () => {
    const step = fc.record({
      user: fc.integer({ min: 1, max: 5 }),
      bytes: fc.nat(20_000),
      drops: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const histories = new Histories(MAX_BYTES);
        const kept: (History | undefined)[] = [];
        for (const { user, bytes, drops } of steps) {
          kept.push(keep(histories, user, bytes));
          if (drops) histories.drop(kept.shift());
          const held = kept
            .flatMap((history) => history?.items ?? [])
            .reduce((sum, { length }) => sum + length, 0);
          expect(held).toBeLessThanOrEqual(histories.heldBytes);
          expect(histories.heldBytes).toBeLessThanOrEqual(MAX_BYTES);
        }
        for (const history of kept) histories.drop(history);
        expect(histories.heldBytes).toBe(0);
      }),
    );
  });

  test('of one user make way for newer ones of that user, never for those of another', () => {
    const histories = new Histories(MAX_BYTES);
    const other = keep(histories, 2, 4000);
    const all = Array.from({ length: 20 }, () => keep(histories, 1, 8000));
    expect(other?.items).toBeDefined();
    expect(all[0]?.items).toBeUndefined();
    expect(all.at(-1)?.items).toBeDefined();
  });

  test('hold on to no memory but their own', () => {
    const frame = Buffer.alloc(100_000, 1);
    const history = new Histories().keep({
      responseId: 'resp_1',
      items: [frame.subarray(10, 20)],
      mayBeKept: false,
      user: 1,
      address: 'a',
    });
    expect(history?.items?.[0]?.buffer.byteLength).toBe(10);
  });
});
