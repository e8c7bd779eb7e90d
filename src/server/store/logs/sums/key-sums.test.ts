import { beforeAll, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { UsageStore } from '#core/usage/usage-store.ts';
import { givenCall, givenUser } from '../../testing/accounts.ts';
import { onEachEngine } from '../../testing/on-each-engine.ts';
import { createUsageStore } from './usage-store.ts';

const HOUR_MS = 3_600_000;
const all = { fromMs: 0, toMs: 1000 * HOUR_MS };

onEachEngine('key sums', (on) => {
  let usage: UsageStore;
  const users: number[] = [];

  interface Made {
    readonly user: number;
    readonly hour: number;
    readonly channelId: number;
    readonly quota: number;
    readonly cached?: number;
    readonly isStream?: boolean;
    readonly other?: string;
    readonly type?: number;
  }

  const call = (ledger: Ledger, made: Made, number: number): Promise<void> => {
    const { cached = 0 } = made;
    return givenCall(ledger, made.quota, {
      requestId: `call-${number}`,
      createdAtMs: made.hour * HOUR_MS + number,
      userId: users[made.user] ?? 0,
      channelId: made.channelId,
      isStream: made.isStream ?? false,
      usage: { ...noUsage, inputTokens: 1000 - cached, cacheReadTokens: cached },
      other: made.other ?? '',
      type: made.type ?? logType.consume,
    });
  };

  beforeAll(async () => {
    usage = createUsageStore(on.database);
    const { ledger } = on;
    for (let made = 0; made < 2; made += 1) users.push(await givenUser(on.database, ledger, 100_000));
    const stream = { isStream: true, user: 0, hour: 1, quota: 1 };
    const calls: Made[] = [
      ...Array.from({ length: 20 }, (_, at) => ({
        ...stream,
        channelId: at < 15 ? 1 : 2,
        other: `{"ratio":1,"frt":${(at + 1) * 100},"x":"\\"frt\\":99999"}`,
      })),
      { ...stream, channelId: 2, other: '{"frt":-1000}' },
      { ...stream, channelId: 2, other: '{}' },
      { ...stream, channelId: 2, other: '' },
      { user: 0, hour: 2, channelId: 3, quota: 90, cached: 500, other: '{"frt":88888}' },
      { user: 1, hour: 2, channelId: 4, quota: 30, cached: 250 },
    ];
    for (const [number, made] of calls.entries()) await call(ledger, made, number);
    for (const user of [0, 1])
      await call(ledger, { user, hour: 2, channelId: 1, quota: 0, type: logType.error }, 1000 + user);
  });

  it('count answers and failures, and what of the prompts came from caches', async () => {
    expect(await usage.keySums(all)).toMatchObject({
      answered: 25,
      failed: 2,
      promptTokens: 25_000,
      cachedTokens: 750,
    });
    expect(await usage.keySums({ ...all, userId: users[1] ?? 0 })).toEqual({
      answered: 1,
      failed: 1,
      promptTokens: 1000,
      cachedTokens: 250,
      firstTokenP95Ms: null,
      firstTokenCalls: 0,
    });
  });

  it('tell the time that 95 of 100 first tokens took, of streams that had one', async () => {
    const { firstTokenP95Ms, firstTokenCalls } = await usage.keySums(all);
    expect([firstTokenP95Ms, firstTokenCalls]).toEqual([1900, 20]);
  });

  it('are unknown for hours without calls', async () => {
    expect(await usage.keySums({ fromMs: 500 * HOUR_MS, toMs: 600 * HOUR_MS })).toEqual({
      answered: 0,
      failed: 0,
      promptTokens: 0,
      cachedTokens: 0,
      firstTokenP95Ms: null,
      firstTokenCalls: 0,
    });
  });

  it('split the hours by the largest and the rest, which add up to all', async () => {
    const hours = await usage.hoursBy('channel', all, 2);
    expect(
      hours.map(({ hourMs, id, isRest, calls, quotaUnits }) => [
        hourMs / HOUR_MS,
        id,
        isRest,
        calls,
        quotaUnits,
      ]),
    ).toEqual([
      [1, 0, true, 23, 23],
      [2, 3, false, 1, 90],
      [2, 4, false, 1, 30],
    ]);
    const byUser = await usage.hoursBy('user', { ...all, userId: users[0] ?? 0 }, 10);
    expect(byUser.map(({ id, calls, isRest }) => [id, calls, isRest])).toEqual([
      [users[0], 23, false],
      [users[0], 1, false],
    ]);
    expect(byUser[0]?.name).not.toBe('');
  });
});
