import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hasRedis } from '../../src/server/limits/testing/redis-server.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { balanceOf, makeChannel, makeToken, rootPassword, signIn } from '../support/operator.ts';
import { somebody, startTwoNodes, type TwoNodes } from '../support/two-nodes.ts';

/** Calls and drawings on two nodes at once: their cost and their limits. */

const MODEL = 'gpt-4o-mini';
const DRAWING = 'mj_imagine';
const DRAWING_UNITS = 50_000;

describe.skipIf(!hasRedis)('two nodes on PostgreSQL and Redis (needs redis-server)', () => {
  let site: TwoNodes;
  let simulator: RunningSimulator;
  beforeAll(async () => {
    simulator = await startSimulator({ speed: 200 });
    site = await startTwoNodes();
    await makeChannel(site.root, { name: 'chats', baseUrl: simulator.url, models: [MODEL] });
    await makeChannel(site.root, { type: 2, name: 'drawings', baseUrl: simulator.url, models: [DRAWING] });
    await site.set({ ModelRatio: { [MODEL]: 1 }, QuotaForNewUser: 1_000_000 });
  });
  afterAll(async () => {
    await site.stop();
    await simulator.stop();
  });

  const chat = (at: number, key: string, more: object = {}): Promise<Response> =>
    fetch(`${site.url(at)}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: 100,
        messages: [{ role: 'user', content: 'say ten words' }],
        ...more,
      }),
    });
  const chatted = async (at: number, key: string, more?: object): Promise<number> => {
    const response = await chat(at, key, more);
    await response.text();
    return response.status;
  };
  const usedOf = async (id: number) => {
    const { rows, units } = await site.database.writer
      .selectFrom('logs')
      .select((is) => [is.fn.countAll<number>().as('rows'), is.fn.sum<number>('quota').as('units')])
      .where('user_id', '=', id)
      .where('type', '=', 2)
      .executeTakeFirstOrThrow();
    return { rows: Number(rows), units: Number(units ?? 0) };
  };

  it('quota is given and taken by admins while calls run: every unit has its row', async () => {
    const caller = await somebody(site, 'caller');
    const { key } = await makeToken(caller.here, { unlimited_quota: true });
    const manage = (at: number, value: number) =>
      (at % 2 ? signedInThere : site.root).call('/api/user/manage', {
        method: 'POST',
        body: { id: caller.id, action: 'add_quota', value },
      });
    const signedInThere = await signIn(site.url(1), 'root', rootPassword);
    const start = (await balanceOf(caller.here)).quota;
    const [calls, given] = await Promise.all([
      Promise.all(Array.from({ length: 60 }, (_, at) => chatted(at, key))),
      Promise.all(Array.from({ length: 40 }, (_, at) => manage(at, at % 4 === 0 ? -1000 : 5000))),
    ]);
    expect(calls.filter((status) => status !== 200)).toEqual([]);
    expect(given).toHaveLength(40);
    const { rows, units } = await usedOf(caller.id);
    expect(rows).toBe(60);
    expect(await balanceOf(caller.here)).toEqual({
      quota: start - units - 10 * 1000 + 30 * 5000,
      used: units,
      calls: 60,
    });
    expect(await site.violated()).toEqual([]);
  });

  it('a token spends its budget and no unit more, whichever node is called', async () => {
    const owner = await somebody(site, 'owner');
    const { id, key } = await makeToken(owner.here, { remain_quota: 2000, unlimited_quota: false });
    const statuses = await Promise.all(Array.from({ length: 80 }, (_, at) => chatted(at, key)));
    const { rows, units } = await usedOf(owner.id);
    expect(statuses.filter((status) => status === 200)).toHaveLength(rows);
    expect(statuses.filter((status) => status !== 200 && status !== 403)).toEqual([]);
    const left = async () =>
      z
        .object({ remain_quota: z.number(), used_quota: z.number() })
        .parse(await owner.here.call(`/api/token/${id}`));
    expect(await left()).toEqual({ remain_quota: 2000 - units, used_quota: units });
    // Its owner changes the budget while it is spent.
    await Promise.all([
      ...Array.from({ length: 40 }, (_, at) => chatted(at, key)),
      ...Array.from({ length: 20 }, (_, at) =>
        owner.at(at).call('/api/token', { method: 'PUT', body: { id, remain_quota: 500 + at } }),
      ),
    ]);
    expect(await site.violated()).toEqual([]);
  });

  it('of two hundred simultaneous calls exactly ten pass a limit of ten', async () => {
    const hasty = await somebody(site, 'hasty');
    const { key } = await makeToken(hasty.here, { unlimited_quota: true });
    await site.set({
      ModelRequestRateLimitCount: 10,
      ModelRequestRateLimitDurationMinutes: 60,
      ModelRequestRateLimitEnabled: true,
    });
    const statuses = await Promise.all(Array.from({ length: 200 }, (_, at) => chatted(at, key)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(190);
    expect((await usedOf(hasty.id)).rows).toBe(10);
    await site.set({ ModelRequestRateLimitEnabled: false });
  });

  it('while Redis is silent each node lets through at most what was left, and calls go on', async () => {
    const patient = await somebody(site, 'patient');
    const { key } = await makeToken(patient.here, { unlimited_quota: true });
    await site.set({
      ModelRequestRateLimitCount: 10,
      ModelRequestRateLimitDurationMinutes: 60,
      ModelRequestRateLimitEnabled: true,
    });
    const burst = async (count: number) => {
      const statuses = await Promise.all(Array.from({ length: count }, (_, at) => chatted(at, key)));
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      return statuses.filter((status) => status === 200).length;
    };
    // One after the other, so that each node has the news of all calls but the last.
    for (let at = 0; at < 4; at += 1) expect(await chatted(at, key)).toBe(200);
    site.redis.pause();
    const silent = await burst(60).finally(() => site.redis.goOn());
    expect(silent).toBeGreaterThanOrEqual(6);
    expect(silent).toBeLessThanOrEqual(7 + 6);
    // When Redis is back it counts as before, also the calls whose count came too late for their caller.
    await expect.poll(() => burst(2)).toBe(0);
    expect(4 + silent).toBeLessThanOrEqual((await usedOf(patient.id)).rows);
    await site.set({ ModelRequestRateLimitEnabled: false });
    expect(await site.violated()).toEqual([]);
  });

  it('an account that is deleted while its calls run pays for what it got, and gets no more', async () => {
    const leaver = await somebody(site, 'leaver');
    const { key } = await makeToken(leaver.here, { unlimited_quota: true });
    const streams = Promise.all(Array.from({ length: 30 }, (_, at) => chatted(at, key, { stream: true })));
    await expect.poll(async () => (await heldOf(leaver.id)).held).toBeGreaterThan(0);
    await leaver.at(1).call('/api/user/self', { method: 'DELETE' });
    await streams;
    await expect.poll(async () => (await heldOf(leaver.id)).held).toBe(0);
    const { units } = await usedOf(leaver.id);
    expect(await heldOf(leaver.id)).toEqual({ quota: 1_000_000 - units, held: 0, used: units });
    // The other node keeps the account in its cache for a while, but its ledger holds nothing for it.
    for (const at of [0, 1]) expect([401, 403]).toContain(await chatted(at, key));
    expect(await site.violated()).toEqual([]);
  });
  const heldOf = async (id: number) => {
    const row = await site.database.writer
      .selectFrom('users')
      .select(['quota', 'held', 'used_quota as used'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row;
  };

  it('a drawing is charged or given back once, whichever node hears of its end', async () => {
    const artist = await somebody(site, 'artist');
    const { key } = await makeToken(artist.here, { unlimited_quota: true });
    const send = async (at: number, path: string, body: object): Promise<Record<string, unknown>> => {
      const response = await fetch(`${site.url(at)}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    const prompts = ['a fox', 'fail now', 'flip a coin', 'a hen', 'fail again', 'flip two'];
    const ids = await Promise.all(
      prompts.map(async (prompt, at) => String((await send(at, '/mj/submit/imagine', { prompt }))['result'])),
    );
    const rowsOf = () =>
      site.database.writer
        .selectFrom('tasks')
        .select(['public_id', 'upstream_id', 'status', 'quota'])
        .where('user_id', '=', artist.id)
        .orderBy('id')
        .execute();
    const known = await rowsOf();
    // The owner's callbacks make both nodes ask at once, beside their pollers.
    await Promise.all(
      known.flatMap(({ upstream_id: id }) =>
        Array.from({ length: 12 }, (_, at) => send(at, '/mj/notify', { id })),
      ),
    );
    await expect
      .poll(async () => (await rowsOf()).every(({ status }) => ['SUCCESS', 'FAILURE'].includes(status)))
      .toBe(true);
    const rows = await rowsOf();
    const holds = await site.database.writer
      .selectFrom('holds')
      .select(['id', 'state', 'settled'])
      .where('user_id', '=', artist.id)
      .execute();
    expect(ids).toHaveLength(prompts.length);
    for (const { public_id: id, status, quota } of rows) {
      const hold = holds.find((one) => one.id === `task-${id}`);
      const paid = status === 'SUCCESS' ? DRAWING_UNITS : 0;
      expect([id, quota, hold?.settled, hold?.state]).toEqual([
        id,
        paid,
        paid,
        status === 'SUCCESS' ? 'settled' : 'voided',
      ]);
    }
    expect(await site.violated()).toEqual([]);
  });
});
