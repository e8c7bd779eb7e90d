import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHouseCostStore } from '../logs/sums/house-cost-store.ts';
import { engines, type EmptyPlace } from '../testing/engines.ts';
import { type Database, openDatabase } from './database.ts';
import { readHere } from './sqlite/read-here.ts';

/** Each amount is exact up to 2^53-1. A sum of them may be more: it is told as the nearest number, and refused by nobody. */

const MOST = Number.MAX_SAFE_INTEGER;
const DAY_MS = 86_400_000;

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`sums beyond 2^53 on ${engine.name}`, () => {
    let place: EmptyPlace;
    let database: Database;
    beforeAll(async () => {
      place = await engine.place();
      database = await openDatabase(place.config);
    });
    afterAll(async () => {
      await database.close();
      await place.remove();
    });

    /** A sum, as a number or, of PostgreSQL, in digits. */
    const query = sql<{ value: number | string }>`
      SELECT sum(amount) AS value FROM (
        SELECT CAST(${MOST} AS BIGINT) AS amount UNION ALL SELECT CAST(${MOST} AS BIGINT) UNION ALL SELECT CAST(${MOST} AS BIGINT)
      ) AS amounts`;

    it('are read by who serves, and by a thread that only reads', async () => {
      const own = await query.execute(database.reader);
      const elsewhere = await readHere(place.config).reading((reader) => query.execute(reader));
      for (const { rows } of [own, elsewhere]) expect(Number(rows[0]?.value)).toBe(3 * MOST);
    });

    it('leave numbers beside them, texts and what is missing as they are', async () => {
      const row = { huge: 2 * MOST, exact: MOST, text: 'a', missing: null, part: 0.5 };
      const { rows } = await sql<typeof row>`
        SELECT CAST(${MOST} AS BIGINT) + CAST(${MOST} AS BIGINT) AS huge, CAST(${MOST} AS BIGINT) AS exact,
          'a' AS text, NULL AS missing, CAST(0.5 AS DOUBLE PRECISION) AS part`.execute(database.reader);
      expect(rows).toEqual([row]);
      // The same statement, while its numbers are small, gives numbers as before.
      const small = await sql<{ value: number }>`SELECT 1 AS value`.execute(database.reader);
      expect(small.rows).toEqual([{ value: 1 }]);
    });

    it('of costs of the house are shown', async () => {
      const costs = createHouseCostStore(database);
      for (let calls = 0; calls < 2; calls += 1)
        await costs.add({ channelId: 1, kind: 'test', atMs: DAY_MS, costNano: MOST });
      expect(await costs.days({ fromMs: DAY_MS, toMs: DAY_MS })).toMatchObject([
        { calls: 2, costNano: 2 * MOST },
      ]);
    });
  });
}
