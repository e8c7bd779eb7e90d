import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sinceRead } from './set-quota.ts';

/** Whether a balance that is sent back later was changed by its sender. */

const units = fc.integer({ min: 0, max: 1_000_000 });

test('a balance that is sent back as it was read changes nothing, whatever was charged or held in between', () => {
  fc.assert(
    fc.property(units, units, units, units, (left, used, charged, held) => {
      const now = { quota: left, used: used + charged, held };
      const read = { leftUnits: left + charged, usedUnits: used };
      // Read while something else was held, and that was told.
      const told = { ...read, leftUnits: read.leftUnits + held - 777, heldUnits: 777 };
      expect(sinceRead(told, now)).toBe('unchanged');
      // Read before anything was held, or while as much was held as now.
      for (const leftUnits of [read.leftUnits, read.leftUnits + held])
        expect(sinceRead({ ...read, leftUnits }, now)).toBe('unchanged');
    }),
  );
});

test('another balance is set where nothing was charged since it was read, and refused where something was', () => {
  fc.assert(
    fc.property(units, units, units, fc.integer({ min: 1, max: 1000 }), (left, used, charged, more) => {
      const now = { quota: left, used: used + charged, held: 0 };
      const read = { leftUnits: left + charged + more, usedUnits: used };
      expect(sinceRead(read, now)).toBe(charged === 0 ? undefined : 'stale');
    }),
  );
});
