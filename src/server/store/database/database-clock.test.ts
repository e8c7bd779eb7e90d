import { describe, expect, it } from 'vitest';
import { SharedClock } from '#core/time/shared-clock.ts';
import { readDatabaseClock } from './database-clock.ts';
import { engines } from '../testing/engines.ts';

const YEAR_MS = 365 * 86_400_000;
const monotonic = (): number => performance.now();

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`the clock of ${engine.name}`, () => {
    it.each([
      ['ahead', YEAR_MS],
      ['behind', -YEAR_MS],
      ['two seconds behind', -2000],
    ])('is used by a node whose own clock is far %s, if there may be other nodes', async (_, offMs) => {
      const opened = await engine.create();
      const clock = new SharedClock({ now: () => Date.now() + offMs, monotonic });
      const reading = await readDatabaseClock(opened.database, monotonic);
      const aheadMs = reading === undefined ? 0 : clock.follow(reading);
      const isShared = engine.name === 'postgres';
      expect(Math.abs(aheadMs - (isShared ? offMs : 0))).toBeLessThan(1000);
      expect(Math.abs(clock.now() - Date.now() - (isShared ? 0 : offMs))).toBeLessThan(1000);
      await opened.remove();
    });
  });
}
