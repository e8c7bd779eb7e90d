import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import type { HourTotalsStore, UsageFilter, UsageStore } from '#core/usage/usage-store.ts';
import { auditDatabase } from '../../ledger/audit.ts';
import { callLog } from '../../testing/accounts.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { createHourTotalsStore } from './hour-totals-store.ts';
import { createLogClearingStore } from '../log-clearing-store.ts';
import { createUsageStore } from './usage-store.ts';
import { HOUR_MS } from '#core/time/spans.ts';

/** Views of everybody's calls come to the same, whether hours were added up or are read as they are. */

const HOURS = 30;

/** Some calls, as small numbers: the hour, and who called what through whom. */
const calls = fc.array(
  fc.record({
    hour: fc.nat(HOURS - 1),
    who: fc.nat(3),
    token: fc.nat(4),
    what: fc.nat(2),
    channel: fc.nat(3),
    units: fc.nat(999),
    isCosted: fc.boolean(),
    hasFailed: fc.boolean(),
  }),
  { maxLength: 25 },
);
type Calls = typeof calls extends fc.Arbitrary<infer Some> ? Some : never;
const steps = fc.array(
  fc.oneof(
    calls.map((some) => ({ some })),
    fc.record({ addUpUntil: fc.nat(HOURS + 4), atMost: fc.integer({ min: 1, max: HOURS }) }),
    fc.record({ clearBefore: fc.nat(HOURS) }),
  ),
  { minLength: 2, maxLength: 8 },
);
const spans = fc
  .tuple(fc.nat(HOURS * 4), fc.nat(HOURS * 4))
  .map((ends) => ends.toSorted((one, other) => one - other))
  .map(([from = 0, to = 0]) => ({ fromMs: from * (HOUR_MS / 4), toMs: to * (HOUR_MS / 4) + 1000 }));

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`hours that are added up, on ${engine.name}`, () => {
    let opened: TestDatabase;
    let usage: UsageStore;
    let totals: HourTotalsStore;
    let written = 0;
    beforeAll(async () => {
      opened = await engine.create();
      usage = createUsageStore(opened.database);
      totals = createHourTotalsStore(opened.database);
    });
    afterAll(() => opened.remove());

    const call = (some: Calls) =>
      opened.database.runLedger(
        some.map(({ hour, who, token, what, channel, units, isCosted, hasFailed }) => ({
          op: 'note',
          log: callLog({
            requestId: `call-${(written += 1)}`,
            createdAtMs: hour * HOUR_MS + units,
            type: hasFailed ? logType.error : logType.consume,
            userId: who,
            tokenId: token,
            tokenName: `token ${token % 2}`,
            channelId: channel,
            model: `model ${what}`,
            group: `group ${(what + who) % 2}`,
            program: what === 0 ? undefined : `program ${what}`,
            quotaUnits: hasFailed ? 0 : units,
            costNano: isCosted ? units * 3 : undefined,
            savedUnits: units % 7,
          }),
        })),
      );
    const take = async (
      step: { some: Calls } | { addUpUntil: number; atMost: number } | { clearBefore: number },
    ) => {
      if ('some' in step) await call(step.some);
      else if ('addUpUntil' in step) await totals.addUpHours(step.addUpUntil * HOUR_MS, step.atMost);
      else
        await createLogClearingStore(opened.database).deleteSome(
          { beforeMs: step.clearBefore * HOUR_MS, upToId: Number.MAX_SAFE_INTEGER },
          10,
        );
    };
    const views = async (filter: UsageFilter) => ({
      hours: await usage.hours(filter),
      by: await Promise.all(
        (['channel', 'user', 'token', 'program'] as const).map((by) => usage.hoursBy(by, filter, 2)),
      ),
      sums: await usage.keySums(filter),
      channels: await usage.channels(filter, 1000),
      someChannels: await usage.channels({ ...filter, ids: [1, 3] }, 1000),
      margin: await Promise.all(
        (['channel', 'model', 'group', 'user', 'token', 'day', 'hour'] as const).map((by) =>
          usage.margin(by, filter, 1000),
        ),
      ),
      cache: await Promise.all(
        (['channel', 'model', 'day', 'hour'] as const).map((by) => usage.cache(by, filter, 1000)),
      ),
      top: [await usage.top('user', filter, 3), await usage.top('token', filter, 3)],
    });
    const brokenTotals = async () =>
      (await auditDatabase(opened.database, 0)).filter(
        ({ check, violations }) => check.startsWith('A34') && violations > 0,
      );
    const write = (statement: string) => sql.raw(statement).execute(opened.database.writer);
    const isReady = (ready: number) => write(`UPDATE totalled_hours SET is_ready = ${ready}`);

    it('come to what they came to before, late calls and cleared rows included', async () => {
      await fc.assert(
        fc.asyncProperty(steps, spans, async (taken, span) => {
          for (const step of taken) await take(step);
          const added = await views(span);
          await isReady(0);
          expect(added).toEqual(await views(span));
          await isReady(1);
          expect(await brokenTotals()).toEqual([]);
        }),
        { numRuns: 25 },
      );
    });

    const some = (hour: number): Calls[number] => ({
      hour,
      who: 1,
      token: 1,
      what: 1,
      channel: 1,
      units: 10,
      isCosted: true,
      hasFailed: false,
    });
    const readyHours = async () =>
      (await opened.database.reader.selectFrom('totalled_hours').selectAll().orderBy('hour').execute())
        .filter(({ is_ready }) => is_ready === 1)
        .map(({ hour }) => hour);

    it('are those that ended over an hour ago; a call that is written later opens its hour until it is added up again', async () => {
      const [first, last] = [1000, 1010];
      await write('DELETE FROM totalled_hours');
      await write('DELETE FROM usage_hours');
      for (let hour = first; hour <= last; hour += 1) await call([some(hour)]);
      const nowMs = (last + 1) * HOUR_MS;
      expect(await totals.addUpHours(nowMs, 4)).toBe(4);
      expect(await readyHours()).toEqual([1006, 1007, 1008, 1009]);
      expect(await totals.addUpHours(nowMs, 100)).toBe(6);
      expect(await totals.addUpHours(nowMs, 100)).toBe(0);
      await call([some(1005), some(1008), some(last)]);
      expect(await readyHours()).toEqual([1000, 1001, 1002, 1003, 1004, 1006, 1007, 1009]);
      const span = { fromMs: first * HOUR_MS, toMs: nowMs };
      const callsOf = async () => (await usage.margin('hour', span, 100)).map(({ calls: count }) => count);
      expect(await callsOf()).toEqual([1, 1, 1, 1, 1, 2, 1, 1, 2, 1, 2]);
      expect(await totals.addUpHours(nowMs, 100)).toBe(2);
      expect(await callsOf()).toEqual([1, 1, 1, 1, 1, 2, 1, 1, 2, 1, 2]);
      // They are what is read: without them only the hour that is not over has calls.
      await write('DELETE FROM usage_totals');
      expect(await callsOf()).toEqual([2]);
      expect(await brokenTotals()).toHaveLength(1);
    });

    it('of which one is opened by a late call while its cleared logs are to be packed again has that call, too', async () => {
      await write('DELETE FROM totalled_hours');
      await write('DELETE FROM usage_hours');
      await write('DELETE FROM logs');
      await call([some(5)]);
      await totals.addUpHours(9 * HOUR_MS, 10);
      await take({ clearBefore: 6 });
      let reads = 0;
      // After the two queries that list the hours.
      const reader = opened.database.reader.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if ((reads += 1) === 2) await call([some(5)]);
          return result;
        },
      });
      await createHourTotalsStore({ ...opened.database, reader }).addUpHours(9 * HOUR_MS, 10);
      const hours = await usage.margin('hour', { fromMs: 0, toMs: 9 * HOUR_MS }, 10);
      expect(hours.map(({ calls: count, quotaUnits }) => [count, quotaUnits])).toEqual([[2, 20]]);
    });

    it.runIf(engine.name === 'postgres')(
      'wait for who had begun to write into them, and are open where two nodes meet a late call',
      async () => {
        await write('DELETE FROM totalled_hours');
        await write('DELETE FROM usage_hours');
        await call([some(5), some(6)]);
        const other = await opened.openAgain();
        let hasEnded = false;
        try {
          await other.writer.transaction().execute(async (late) => {
            await sql`UPDATE usage_hours SET calls = calls + 7 WHERE hour = 5`.execute(late);
            const adding = totals.addUpHours(9 * HOUR_MS, 10).then((count) => {
              hasEnded = true;
              return count;
            });
            // Announced, which is seen by everybody who begins to write from here on.
            await expect
              .poll(() => opened.database.reader.selectFrom('totalled_hours').selectAll().execute())
              .toHaveLength(3);
            expect(hasEnded).toBe(false);
            setImmediate(() => void adding);
          });
          await expect.poll(() => hasEnded).toBe(true);
          expect(
            (await usage.margin('hour', { fromMs: 0, toMs: 9 * HOUR_MS }, 10)).map((hour) => hour.calls),
          ).toEqual([8, 1]);
          await Promise.all([call([some(5)]), totals.addUpHours(9 * HOUR_MS, 10)]);
          await Promise.all([
            createHourTotalsStore(other).addUpHours(9 * HOUR_MS, 10),
            call([some(6)]),
            totals.addUpHours(9 * HOUR_MS, 10),
          ]);
          expect(await brokenTotals()).toEqual([]);
        } finally {
          await other.close();
        }
      },
    );
  });
}
