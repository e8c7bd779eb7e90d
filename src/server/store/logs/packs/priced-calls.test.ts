import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import { pricedText } from '#core/price-book/priced-call.ts';
import { BETWEEN_COLUMNS } from '#core/price-book/call-rows.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { createLedger } from '../../ledger/ledger.ts';
import { callLog, givenUser } from '../../testing/accounts.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { createPricedCalls } from './priced-calls.ts';

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`what calls were charged by, on ${engine.name}`, () => {
    let opened: TestDatabase;
    let ledger: Ledger & { close(): Promise<void> };
    let userId: number;

    beforeEach(async () => {
      opened = await engine.create();
      ledger = createLedger(opened.database);
      userId = await givenUser(opened.database, ledger, 1_000_000_000);
    });
    afterEach(async () => {
      await ledger.close();
      await opened.remove();
    });

    const kind = { userGroup: 'vip', times: 1, isSelfUse: false, service: {} };
    const call = (at: number, createdAtMs: number, more: object = {}) => {
      const usage = { ...noUsage, inputTokens: at + 1, outputTokens: 2 };
      const priced = pricedText({ ...kind, usage });
      const id = `call-${at}`;
      const log = callLog({
        requestId: id,
        userId,
        createdAtMs,
        model: 'gpt',
        group: 'vip',
        quotaUnits: 3,
        priced,
        ...more,
      });
      return async () => {
        await ledger.hold({ id, userId, tokenId: null, quotaUnits: 3, nowMs: 1, expiresAtMs: 9_000_000 });
        await ledger.settle({ id, quotaUnits: 3, nowMs: createdAtMs, log, writeLog: true });
      };
    };

    it('every call of the span is read once with its names, in bounded slices even of one moment; others are counted', async () => {
      const moments = [
        ...Array.from({ length: 4500 }, (_, at) => 1000 + Math.floor(at / 3)),
        ...Array.from({ length: 8300 }, () => 5000),
        ...Array.from({ length: 4000 }, () => 5001),
        ...Array.from({ length: 50 }, (_, at) => 6000 + at),
      ];
      const made = moments.map((atMs, at) => call(at, atMs));
      made.push(call(90_000, 999), call(90_001, 7001), call(90_002, 6500, { priced: undefined }));
      for (let at = 0; at < made.length; at += 500)
        await Promise.all(made.slice(at, at + 500).map((one) => one()));
      const seen: number[] = [];
      const strays: number[] = [];
      let last = 0;
      const all = await createPricedCalls(opened.database).read(1000, 7000, (calls, names) => {
        const { text, untilMs } = 'rows' in calls ? calls.rows : { text: 'a pack', untilMs: 0 };
        const lines = text.split('\n').filter((line) => line !== '');
        expect(lines.length).toBeLessThanOrEqual(4000);
        expect(untilMs).toBeGreaterThanOrEqual(last);
        const given = lines
          .map((one) => Number(one.split(BETWEEN_COLUMNS)[0]))
          .filter((atMs) => atMs < untilMs);
        expect(given.length).toBeGreaterThan(0);
        // A slice that ends where the one before did has only more of that moment.
        const isMore = untilMs === last && Number.isFinite(last);
        strays.push(...given.filter((atMs) => isMore && atMs !== last - 1));
        last = untilMs;
        for (const line of lines) {
          const [atMs = '', user, units, cost, priced = '', model, group] = line.split(BETWEEN_COLUMNS);
          const [buckets = '', tools, told] = priced.split('\t');
          if (Number(atMs) >= untilMs) continue;
          expect([user, units, cost, tools, told]).toEqual([String(userId), '3', '', '', '||1||vip']);
          expect([names.get(Number(model)), names.get(Number(group))]).toEqual(['gpt', 'vip']);
          seen.push(Number(buckets.split(',')[0]) - 1);
        }
      });
      expect(strays).toEqual([]);
      expect(seen.length).toBe(moments.length);
      expect(new Set(seen).size).toBe(moments.length);
      expect(Math.max(...seen)).toBe(moments.length - 1);
      expect(all).toEqual({ calls: moments.length + 1, quotaUnits: 3 * (moments.length + 1) });
    });

    it('an error of the reader ends the reading, and an empty span has no calls', async () => {
      const calls = Array.from({ length: 9000 }, (_, at) => call(at, 1000 + at));
      for (let at = 0; at < calls.length; at += 500)
        await Promise.all(calls.slice(at, at + 500).map((one) => one()));
      let slices = 0;
      const failing = createPricedCalls(opened.database).read(0, 20_000, () => {
        slices += 1;
        throw new Error('no more');
      });
      await expect(failing).rejects.toThrow('no more');
      expect(slices).toBe(1);
      const none = await createPricedCalls(opened.database).read(20_000, 30_000, () => {
        throw new Error('nothing is there');
      });
      expect(none).toEqual({ calls: 0, quotaUnits: 0 });
    });
  });
}
