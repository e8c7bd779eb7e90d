import { beforeAll, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import type { UsageStore } from '#core/usage/usage-store.ts';
import { callLog, givenUser, newToken } from '../../testing/accounts.ts';
import { onEachEngine } from '../../testing/on-each-engine.ts';
import { createUsageStore } from './usage-store.ts';
import { createTokenStore } from '../../people/token-store.ts';
import { createUserStore } from '../../people/user-store.ts';

const HOUR_MS = 3_600_000;
const BALANCE = 10_000_000;

onEachEngine('usage sums', (on) => {
  let usage: UsageStore;
  let users: number[] = [];
  let tokens: number[] = [];
  const all = { fromMs: 0, toMs: 1000 * HOUR_MS };

  const callOf = async (userId: number, at: number, writeLog: boolean): Promise<void> => {
    const { ledger } = on;
    const nowMs = at * (HOUR_MS / 4);
    const id = `call-${userId}-${at}`;
    const log = callLog({
      requestId: id,
      createdAtMs: nowMs,
      userId,
      tokenId: tokens[at % 3] ?? 0,
      // The first is renamed halfway; the other two have one name.
      tokenName: at % 3 > 0 ? 'twin' : at < 6 ? 'before' : 'after',
      model: at % 3 === 0 ? 'gpt-5' : 'claude',
      program: at < 2 ? undefined : at % 2 === 0 ? 'Codex' : 'curl',
      quotaUnits: 1000 + at,
    });
    await ledger.hold({ id, userId, tokenId: null, quotaUnits: 5000, nowMs, expiresAtMs: nowMs + 1 });
    await ledger.settle({ id, quotaUnits: 1000 + at, nowMs, writeLog, log });
  };

  beforeAll(async () => {
    usage = createUsageStore(on.database);
    const { ledger } = on;
    users = [await givenUser(on.database, ledger, BALANCE), await givenUser(on.database, ledger, BALANCE)];
    const [owner = 0] = users;
    const names = ['after', 'twin', 'twin'].map((name) => newToken(owner, { name }));
    const made = await createTokenStore(on.database).create(names, 10);
    if (made === 'too_many') throw new Error('no tokens were made');
    tokens = made.map(({ id }) => id);
    for (const user of users) for (let at = 0; at < 12; at += 1) await callOf(user, at, at % 2 === 0);
  });

  const balanceOf = async (id: number): Promise<number> =>
    (await createUserStore(on.database).byId(id))?.quotaUnits ?? Number.NaN;

  it('are what left the balances, to the unit, whether calls are logged or not', async () => {
    for (const userId of users) {
      const hours = await usage.hours({ ...all, userId });
      const charged = hours.reduce((sum, { quotaUnits }) => sum + quotaUnits, 0);
      expect(charged).toBe(BALANCE - (await balanceOf(userId)));
      expect(hours.reduce((sum, { calls }) => sum + calls, 0)).toBe(12);
    }
  });

  it('are kept by hour and model, and cut by the hour', async () => {
    const hours = await usage.hours({ fromMs: HOUR_MS, toMs: 2 * HOUR_MS - 1 });
    // The second hour has the calls 4 to 7 of both users; of these, 6 is for gpt-5.
    expect(hours).toEqual([
      { model: 'claude', hourMs: HOUR_MS, calls: 6, quotaUnits: 2 * (1004 + 1005 + 1007), tokens: 720 },
      { model: 'gpt-5', hourMs: HOUR_MS, calls: 2, quotaUnits: 2 * 1006, tokens: 240 },
    ]);
  });

  it('are told by program, to the unit of all, and what was not recorded has no name', async () => {
    const hours = await usage.hoursBy('program', all, 10);
    const sumOf = (name: string) =>
      hours.filter((hour) => hour.name === name).reduce((sum, { quotaUnits }) => sum + quotaUnits, 0);
    expect([sumOf(''), sumOf('Codex'), sumOf('curl')]).toEqual([
      2 * (1000 + 1001),
      2 * (1002 + 1004 + 1006 + 1008 + 1010),
      2 * (1003 + 1005 + 1007 + 1009 + 1011),
    ]);
    expect(hours.every(({ id, isRest }) => id === 0 && !isRest)).toBe(true);
    const largest = await usage.hoursBy('program', all, 1);
    expect(new Set(largest.map(({ name, isRest }) => `${name} ${isRest}`))).toEqual(
      new Set(['curl false', ' true']),
    );
  });

  it('tell by channel and hour what was answered and what failed', async () => {
    const { ledger } = on;
    const [userId = 0] = users;
    const end = async (channelId: number, at: number, type: number): Promise<void> => {
      const id = `channel-${channelId}-${at}`;
      const nowMs = 2000 * HOUR_MS + at * (HOUR_MS / 4);
      const log = callLog({ requestId: id, createdAtMs: nowMs, userId, channelId, type });
      await ledger.hold({ id, userId, tokenId: null, quotaUnits: 1, nowMs, expiresAtMs: nowMs + 1 });
      await ledger.settle({ id, quotaUnits: 0, nowMs, writeLog: false, log });
    };
    for (const at of [0, 1, 2, 5]) await end(7, at, logType.consume);
    for (const at of [3, 6]) await end(7, at, logType.error);
    await end(8, 3, logType.error);
    const span = { fromMs: 2000 * HOUR_MS, toMs: 2001 * HOUR_MS };
    expect(await usage.channels(span, 100)).toEqual([
      { channelId: 7, hourMs: 2000 * HOUR_MS, answered: 3, failed: 1 },
      { channelId: 7, hourMs: 2001 * HOUR_MS, answered: 1, failed: 1 },
      { channelId: 8, hourMs: 2000 * HOUR_MS, answered: 0, failed: 1 },
    ]);
    expect(await usage.channels({ ...span, ids: [8, 999] }, 100)).toEqual([
      { channelId: 8, hourMs: 2000 * HOUR_MS, answered: 0, failed: 1 },
    ]);
    expect(await usage.channels({ fromMs: 0, toMs: 1 }, 100)).toEqual([]);
    expect(await usage.channels(span, 1)).toHaveLength(1);
  });

  it('are by the token itself: two of one name are two, and a renamed one stays one', async () => {
    const [user = 0] = users;
    const [renamed, one, other] = tokens;
    expect(await usage.top('token', { ...all, userId: user }, 10)).toEqual([
      { id: other, name: 'twin', calls: 4, quotaUnits: 4000 + 2 + 5 + 8 + 11, tokens: 480 },
      { id: one, name: 'twin', calls: 4, quotaUnits: 4000 + 1 + 4 + 7 + 10, tokens: 480 },
      { id: renamed, name: 'after', calls: 4, quotaUnits: 4000 + 0 + 3 + 6 + 9, tokens: 480 },
    ]);
  });

  it('name the users that used most, and one user by name', async () => {
    const [user = 0] = users;
    const name = (await createUserStore(on.database).byId(user))?.username ?? '';
    const top = await usage.top('user', all, 10);
    expect(top.map(({ quotaUnits }) => quotaUnits)).toEqual([12_066, 12_066]);
    expect(top.map((share) => share.name)).toContain(name);
    expect(await usage.hours({ ...all, username: name })).toEqual(
      await usage.hours({ ...all, userId: user }),
    );
    expect(await usage.hours({ ...all, username: 'nobody' })).toEqual([]);
  });
});
