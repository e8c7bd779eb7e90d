import { expect, it } from 'vitest';
import type { AllowanceUse } from '#core/cost/allowance-use.ts';
import { createAllowanceStore } from '../channels/allowance-store.ts';
import { createLogStore } from '../logs/log-store.ts';
import { createHouseCostStore } from '../logs/sums/house-cost-store.ts';
import { callLog, givenCall, givenUser } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createLedger } from './ledger.ts';

/** Each call of these uses 120 tokens of a day that has 10,000, and costs 7 billionths a token. */
const TOKENS = 120;
const PRICE = 7;
const LIMIT = 10_000;

const use = (changes: Partial<AllowanceUse> = {}): AllowanceUse => ({
  day: 20_000,
  channelId: 0,
  keyId: 0,
  unit: 'tokens',
  name: 'small models',
  amount: TOKENS,
  limit: LIMIT,
  besideNano: 0,
  ...changes,
});

const DAY_MS = 86_400_000;

onEachEngine('free allowances', (on) => {
  const rows = async (model: string) =>
    (await createLogStore(on.database).page({ modelPart: `=${model}` }, { page: 1, pageSize: 300 })).items;
  const spend = async (model: string, free: AllowanceUse, more: object = {}) => {
    const userId = await givenUser(on.database, on.ledger, 1000);
    await givenCall(on.ledger, 1, { requestId: model, userId, createdAtMs: 2000, model, free, ...more });
    const [row] = await rows(model);
    return row;
  };

  it('are given once, to the token: 200 calls of two nodes and 50 costs of the house settle at once, each twice', async () => {
    const nodes = [on.database, await on.openAgain()];
    const ledgers = nodes.map((database) => createLedger(database));
    const id = await givenUser(on.database, on.ledger, 1_000_000);
    const calls = Array.from({ length: 200 }, (_, at) => `race-${String(at)}`);
    const hold = { userId: id, tokenId: null, quotaUnits: 10, nowMs: 2000, expiresAtMs: 602_000 };
    await Promise.all(calls.map((call) => on.ledger.hold({ ...hold, id: call })));
    const costNano = TOKENS * PRICE;
    const settled = calls.flatMap((call, at) => {
      const log = callLog({ requestId: call, userId: id, model: 'raced', costNano, free: use() });
      const settlement = { id: call, quotaUnits: 5, nowMs: 3000, writeLog: true, log };
      return ledgers.map((_, of) => ledgers[(at + of) % 2]?.settle(settlement));
    });
    const lost = Array.from({ length: 50 }, (_, at) =>
      createHouseCostStore(nodes[at % 2] ?? on.database).add({
        channelId: 9,
        kind: 'attempt',
        atMs: 20_000 * DAY_MS,
        costNano,
        free: use(),
      }),
    );
    await Promise.all([...settled, ...lost]);
    const raced = await rows('raced');
    const ofCalls = raced.reduce((sum, row) => sum + (row.costNano ?? Number.NaN), 0);
    const span = { fromMs: 20_000 * DAY_MS, toMs: 20_000 * DAY_MS };
    const [house] = await createHouseCostStore(on.database).days(span);
    expect(raced).toHaveLength(200);
    expect(house).toMatchObject({ calls: 50, uncosted: 0 });
    expect(ofCalls + (house?.costNano ?? Number.NaN)).toBe((250 * TOKENS - LIMIT) * PRICE);
    expect(await createAllowanceStore(on.database).given([use()])).toEqual([LIMIT]);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    await nodes[1]?.close();
  });

  it('are told on the row, which is not below cost if what it cost is not', async () => {
    const marked = { other: '{"a":1,"admin_info":{"below_cost":true,"b":2},"z":3}', costNano: 1000 };
    const half = use({ name: 'half', limit: 60, soldNano: 500 });
    expect(await spend('half', half, marked)).toMatchObject({
      costNano: 500,
      other: '{"a":1,"admin_info":{"b":2,"free":{"name":"half","of":"tokens","amount":60}},"z":3}',
    });
    const still = await spend('still', use({ name: 'still', limit: 60, soldNano: 499 }), marked);
    expect(JSON.parse(still?.other ?? '')).toMatchObject({
      admin_info: { below_cost: true, free: { amount: 60 } },
    });
    expect(await spend('over', { ...half, soldNano: 999 }, marked)).toMatchObject({
      costNano: 1000,
      other: marked.other,
    });
    const dollars = use({ unit: 'dollars', name: 'usd', amount: 1000, limit: 700 });
    expect(await spend('usd', dollars, marked)).toMatchObject({ costNano: 300 });
  });

  it('make free what has no known price, while they last', async () => {
    const unknown = use({ name: 'unknown', limit: 200 });
    expect((await spend('unknown-1', unknown))?.costNano).toBe(0);
    expect((await spend('unknown-2', unknown))?.costNano).toBeUndefined();
    expect(await createAllowanceStore(on.database).given([unknown])).toEqual([200]);
  });

  it('are counted by day, channel, key, unit and name; a lower limit gives nothing more, a higher one its rest', async () => {
    const one = use({ name: 'apart', channelId: 3, keyId: 1, limit: 200 });
    const others: AllowanceUse[] = [
      { ...one, day: 20_001 },
      { ...one, channelId: 4 },
      { ...one, keyId: 2 },
      { ...one, unit: 'calls' },
      { ...one, name: 'Apart' },
    ];
    for (const [at, free] of [one, ...others].entries())
      expect((await spend(`apart-${String(at)}`, free, { costNano: 840 }))?.costNano).toBe(0);
    const costs = [];
    for (const limit of [100, 120, 180, 1000])
      costs.push((await spend(`limit-${String(limit)}`, { ...one, limit }, { costNano: 840 }))?.costNano);
    expect(costs).toEqual([840, 840, 420, 0]);
    const { given, deleteBefore } = createAllowanceStore(on.database);
    // The keys of a channel together, at last 120 + 60 + 120 of the first and 120 of the second.
    expect(await given([one, ...others])).toEqual([420, 120, 120, 420, 120, 120]);
    await deleteBefore(20_001);
    expect(await given([one, ...others])).toEqual([0, 120, 0, 0, 0, 0]);
  });
});
