import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenRules } from '../testing/broken-rules.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createLogClearingStore } from './log-clearing-store.ts';
import { createLogStore } from './log-store.ts';
import { callLog, givenChannel, givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

const HOUR_MS = 3_600_000;
const EVERY_ID = Number.MAX_SAFE_INTEGER;

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`clearing logs on ${engine.name}`, () => {
    let opened: TestDatabase;
    let ledger: ReturnType<typeof createLedger>;
    let channelId: number;
    beforeEach(async () => {
      opened = await engine.create();
      ledger = createLedger(opened.database);
      channelId = await givenChannel(opened.database);
    });
    afterEach(() => opened.remove());

    const violated = () => brokenRules(opened.database, 100 * HOUR_MS);
    const call = async (userId: number, id: string, atMs: number, quotaUnits: number) => {
      const times = { nowMs: atMs, expiresAtMs: atMs + 1000 };
      await ledger.hold({ id, userId, tokenId: null, quotaUnits: 50, ...times });
      const log = callLog({ requestId: id, userId, createdAtMs: atMs, channelId });
      await ledger.settle({ id, quotaUnits, nowMs: atMs, log, writeLog: true });
    };

    it('deletes the oldest first, keeps what was charged, and leaves every invariant true', async () => {
      const userId = await givenUser(opened.database, ledger, 10_000);
      const clearing = createLogClearingStore(opened.database);
      const logs = createLogStore(opened.database);
      // Two and a half days, an hour apart; the boundary lies inside an hour.
      for (let hour = 0; hour < 60; hour += 1) {
        await call(userId, `call ${hour}`, hour * HOUR_MS + 1000, hour);
        await call(userId, `later ${hour}`, hour * HOUR_MS + 2000, 1);
      }
      await logs.append({ createdAtMs: 5, type: 4, userId, username: 'x', content: 'an event' });
      const beforeMs = 40 * HOUR_MS + 2000;
      expect(await clearing.countBefore(beforeMs)).toBe(82);
      const charged = async () =>
        opened.database.writer
          .selectFrom('usage_hours')
          .select((is) => [is.fn.sum<number>('calls').as('calls'), is.fn.sum<number>('quota').as('quota')])
          .executeTakeFirstOrThrow();
      const before = await charged();
      expect(await clearing.deleteSome({ beforeMs, upToId: EVERY_ID }, 50)).toBe(50);
      expect(await violated()).toEqual([]);
      expect(await clearing.countBefore(beforeMs)).toBe(32);
      expect(await clearing.deleteSome({ beforeMs, upToId: EVERY_ID }, 50)).toBe(32);
      expect(await clearing.deleteSome({ beforeMs, upToId: EVERY_ID }, 50)).toBe(0);
      expect(await violated()).toEqual([]);
      expect(await charged()).toEqual(before);
      const left = await logs.page({}, { page: 1, pageSize: 100 });
      expect(left.total).toBe(39);
      expect(Math.min(...left.items.map(({ createdAtMs }) => createdAtMs))).toBe(beforeMs);
      expect((await logs.stat({}, 1)).quotaUnits).toBe(
        left.items.reduce((sum, { quotaUnits }) => sum + quotaUnits, 0),
      );
    });

    it('stops at the last row that is under a seal, however old those behind it are', async () => {
      const userId = await givenUser(opened.database, ledger, 10_000);
      const clearing = createLogClearingStore(opened.database);
      for (let at = 0; at < 6; at += 1) await call(userId, `call ${at}`, 1000 + at, 3);
      const idsLeft = async () =>
        (await opened.database.writer.selectFrom('logs').select('id').orderBy('id').execute()).map(
          ({ id }) => id,
        );
      const ids = await idsLeft();
      const cleared = { beforeMs: HOUR_MS, upToId: ids[3] ?? 0 };
      expect(await clearing.deleteSome(cleared, 50)).toBe(4);
      expect(await clearing.deleteSome(cleared, 50)).toBe(0);
      expect(await idsLeft()).toEqual(ids.slice(4));
      expect(await violated()).toEqual([]);
    });

    it('works while calls are being charged', async () => {
      const userId = await givenUser(opened.database, ledger, 1_000_000);
      const clearing = createLogClearingStore(opened.database);
      for (let at = 0; at < 60; at += 1) await call(userId, `old ${at}`, 1000 + at, 3);
      const calling = Promise.all(
        Array.from({ length: 60 }, (_, at) => call(userId, `new ${at}`, 2 * HOUR_MS + at, 2)),
      );
      const deleted = [];
      for (let at = 0; at < 6; at += 1)
        deleted.push(await clearing.deleteSome({ beforeMs: HOUR_MS, upToId: EVERY_ID }, 10));
      await calling;
      // The grant's user has no log; the sixty old calls are gone.
      expect(deleted).toEqual([10, 10, 10, 10, 10, 10]);
      expect(await violated()).toEqual([]);
    });
  });
}
