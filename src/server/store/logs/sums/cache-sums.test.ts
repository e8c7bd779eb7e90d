import { beforeAll, expect, it } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { UsageStore } from '#core/usage/usage-store.ts';
import { givenCall, givenUser } from '../../testing/accounts.ts';
import { onEachEngine } from '../../testing/on-each-engine.ts';
import { readSessions } from './cache-sums.ts';
import { createUsageStore } from './usage-store.ts';

const HOUR_MS = 3_600_000;
const all = { fromMs: 0, toMs: 1000 * HOUR_MS };

onEachEngine('cache sums', (on) => {
  let usage: UsageStore;
  const users: number[] = [];

  interface Made {
    readonly user: number;
    readonly hour: number;
    readonly model: string;
    readonly channelId: number;
    readonly session?: string;
    readonly cached: number;
    readonly saved: number;
  }

  const call = (ledger: Ledger, made: Made, number: number): Promise<void> =>
    givenCall(ledger, 100, {
      requestId: `call-${number}`,
      createdAtMs: made.hour * HOUR_MS + number,
      userId: users[made.user] ?? 0,
      model: made.model,
      channelId: made.channelId,
      usage: { ...noUsage, inputTokens: 1000 - made.cached, cacheReadTokens: made.cached },
      session: made.session,
      savedUnits: made.saved,
    });

  beforeAll(async () => {
    usage = createUsageStore(on.database);
    const { ledger } = on;
    for (let made = 0; made < 2; made += 1) users.push(await givenUser(on.database, ledger, 100_000));
    const calls: Made[] = [
      { user: 0, hour: 1, model: 'a', channelId: 1, session: 's', cached: 0, saved: -25 },
      { user: 0, hour: 1, model: 'a', channelId: 1, session: 's', cached: 900, saved: 90 },
      { user: 0, hour: 30, model: 'a', channelId: 2, session: 's', cached: 0, saved: 0 },
      { user: 1, hour: 30, model: 'b', channelId: 1, session: 't', cached: 500, saved: 50 },
      { user: 1, hour: 31, model: 'b', channelId: 1, cached: 0, saved: 0 },
    ];
    for (const [number, made] of calls.entries()) await call(ledger, made, number);
  });

  it('are told by channel, model, day and hour, everybody’s or one user’s', async () => {
    const shares = async (by: 'channel' | 'model' | 'day' | 'hour', filter: object = {}) =>
      (await usage.cache(by, { ...all, ...filter }, 10)).map(
        ({ id, name, calls, promptTokens, cachedTokens, savedUnits }) =>
          [id, name, calls, promptTokens, cachedTokens, savedUnits] as const,
      );
    expect(await shares('channel')).toEqual([
      [1, '', 4, 4000, 1400, 115],
      [2, '', 1, 1000, 0, 0],
    ]);
    expect(await shares('model')).toEqual([
      [0, 'a', 3, 3000, 900, 65],
      [0, 'b', 2, 2000, 500, 50],
    ]);
    expect(await shares('day', { userId: users[0] })).toEqual([
      [0, '', 2, 2000, 900, 65],
      [24 * HOUR_MS, '', 1, 1000, 0, 0],
    ]);
    expect((await shares('hour')).map(([id]) => id / HOUR_MS)).toEqual([1, 30, 31]);
  });

  it('of sessions name their model, when they were used last, and how many channels answered them', async () => {
    const [last, first, ...others] = await usage.sessions(all, 10);
    expect(others).toEqual([]);
    expect(last).toMatchObject({ session: 't', model: 'b', calls: 1, cachedTokens: 500, channels: 1 });
    expect(first).toMatchObject({
      session: 's',
      model: 'a',
      usedAtMs: 30 * HOUR_MS + 2,
      calls: 3,
      quotaUnits: 300,
      promptTokens: 3000,
      cachedTokens: 900,
      savedUnits: 65,
      channels: 2,
    });
    expect(await usage.sessions({ ...all, userId: users[1] ?? 0 }, 10)).toHaveLength(1);
    expect(await usage.sessions({ ...all, toMs: 2 * HOUR_MS }, 10)).toMatchObject([{ calls: 2 }]);
  });

  it('of sessions are the same, however few of the latest calls tell which were used last', async () => {
    const { database } = on;
    const everything = await readSessions(database, all, 10);
    expect(everything.map(({ session }) => session)).toEqual(['t', 's']);
    for (const latestCalls of [1, 2, 3, 4, 5])
      for (const limit of [1, 2, 3])
        expect(await readSessions(database, all, limit, latestCalls)).toEqual(everything.slice(0, limit));
  });
});
