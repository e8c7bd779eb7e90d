import { beforeAll, expect, it } from 'vitest';
import type { UsageLinkStore } from '#core/token/usage-link-store.ts';
import { callLog, givenToken, givenUser } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createTokenStore } from './token-store.ts';
import { createUsageLinkStore } from './usage-link-store.ts';

const DAY_MS = 86_400_000;
const START_MS = 100 * DAY_MS;
const MOST = 3;

onEachEngine('links to usage', (on) => {
  let links: UsageLinkStore;
  let userId: number;
  let tokenId: number;
  beforeAll(async () => {
    links = createUsageLinkStore(on.database);
    const { ledger } = on;
    userId = await givenUser(on.database, ledger, 1000);
    tokenId = await givenToken(on.database, userId);
  });

  const make = (mac: string, expiresAtMs: number | null = null, nowMs = 1000) =>
    links.create(
      { tokenId, userId, mac, note: '', createdAtMs: nowMs, createdBy: userId, expiresAtMs },
      MOST,
    );

  it('a token has a limited number, also when all are made at once; ended ones make room', async () => {
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((mac) => make(mac, 2000)));
    expect(made.filter((one) => one === 'too_many')).toHaveLength(2);
    expect(await links.list(userId, tokenId, 1999)).toHaveLength(MOST);
    expect(await links.list(userId, tokenId, 2000)).toEqual([]);
    expect(await make('later', null, 2000)).toMatchObject({ tokenId });
    expect(await links.list(userId, tokenId, 2000)).toHaveLength(1);
    expect(await links.list(userId + 1, tokenId, 2000)).toBeUndefined();
    expect(await links.delete(userId + 1, 1)).toBeUndefined();
  });

  it('are gone from the table with their token, and those of others stay', async () => {
    const other = await givenToken(on.database, userId);
    const link = { userId, note: '', createdAtMs: 1, createdBy: userId, expiresAtMs: null };
    await links.create({ ...link, tokenId: other, mac: 'of the other' }, MOST);
    await links.create({ ...link, tokenId, mac: 'of the first' }, MOST);
    const macs = async () =>
      (await on.database.writer.selectFrom('usage_links').select('mac').execute()).map(({ mac }) => mac);
    expect(await macs()).toContain('of the other');
    const tokens = createTokenStore(on.database);
    expect(await tokens.delete(userId + 1, other, 9)).toBe(false);
    expect(await macs()).toContain('of the other');
    expect(await tokens.delete(userId, other, 9)).toBe(true);
    expect(await macs()).not.toContain('of the other');
    expect(await macs()).toContain('of the first');
  });

  it('when it was opened is noted at most once a minute', async () => {
    const { link } = (await links.open('later', 3000))!;
    const openedAt = async () => (await links.open('later', 3000))!.link.openedAtMs;
    await links.noteOpened(link.id, 70_000);
    await links.noteOpened(link.id, 129_999);
    expect(await openedAt()).toBe(70_000);
    await links.noteOpened(link.id, 130_000);
    expect(await openedAt()).toBe(130_000);
  });

  it('adds up by day and model from the first day on, to the unit', async () => {
    for (const [day, model, units] of [
      [-1, 'old', 9],
      [0, 'gpt-5', 9_007_199],
      [0, 'claude', 3],
      [5, 'gpt-5', 1],
    ] as const) {
      const log = callLog({
        requestId: `${day} ${model}`,
        userId,
        tokenId,
        model,
        quotaUnits: units,
        createdAtMs: START_MS + day * DAY_MS,
      });
      await on.database.runLedger([{ op: 'note', log }]);
    }
    const { days, models } = await links.usage({ id: tokenId, userId }, START_MS);
    expect(days.map(({ dayMs, calls, units }) => [dayMs - START_MS, calls, units])).toEqual([
      [0, 2, 9_007_202],
      [5 * DAY_MS, 1, 1],
    ]);
    expect(models.map(({ model, calls, units }) => [model, calls, units])).toEqual([
      ['gpt-5', 2, 9_007_200],
      ['claude', 1, 3],
    ]);
    expect((await links.usage({ id: tokenId, userId: userId + 1 }, 0)).days).toEqual([]);
  });
});
