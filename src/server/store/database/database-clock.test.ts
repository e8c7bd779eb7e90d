import { describe, expect, it } from 'vitest';
import { SharedClock } from '#core/time/shared-clock.ts';
import { readDatabaseClock } from './database-clock.ts';
import { engines } from '../testing/engines.ts';

const YEAR_MS = 365 * 86_400_000;
const monotonic = (): number => performance.now();

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`the clock of ${engine.name}`, () => {
    it('is what a node goes by whose own is a year ahead, where there may be other nodes', async () => {
      const opened = await engine.create();
      const clock = new SharedClock({ now: () => Date.now() + YEAR_MS, monotonic });
      const reading = await readDatabaseClock(opened.database, monotonic);
      const aheadMs = reading === undefined ? 0 : clock.follow(reading);
      const isShared = engine.name === 'postgres';
      expect(Math.abs(aheadMs - (isShared ? YEAR_MS : 0))).toBeLessThan(1000);
      expect(Math.abs(clock.now() - Date.now() - (isShared ? 0 : YEAR_MS))).toBeLessThan(1000);
      await opened.remove();
    });
  });
}
