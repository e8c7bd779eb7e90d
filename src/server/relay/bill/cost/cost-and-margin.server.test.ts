import { afterAll, beforeAll, expect, it } from 'vitest';
import type { readChannel } from '#contract/api/channels/channels.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import type { Data } from '#contract/endpoint.ts';
import { matrix } from '../../../http/testing/matrix-cases.ts';
import type { Sent } from '../../../http/testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../../http/testing/small-upstream.ts';

/** Only admins see what calls cost the operator. */

let upstream: SmallUpstream;
let scene: Scene;
let alice: Spender;
let channelId: number;
/** The upstream reports 8 tokens in and 2 out: 8 × 0.02 USD + 2 × 0.0005 USD a token, in billionths. */
const NANO = 8 * 20_000_000 + 2 * 500_000;
const QUOTA = 250_000;

const cost = { currency: 'CNY', models: { sold: { input: 40_000, output: 1000 }, free: { call: 0 } } };

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  alice = await scene.spender('alice', 100_000_000);
  const { stage, root } = scene;
  await scene.set('ModelPrice', JSON.stringify({ alias: 0.5, free: 0.5, unknown: 0.5 }));
  const rates = { CNY: [{ from: '2020-01-01', usd: 0.5 }] };
  await scene.set('cost_setting.currency_rates', JSON.stringify(rates));
  const row = await stage.channel(root, {
    name: 'bought',
    baseUrl: upstream.url,
    models: 'alias,free,unknown',
    modelMapping: JSON.stringify({ alias: 'sold' }),
    setting: JSON.stringify({ cost }),
  });
  channelId = row.id;
  for (const model of ['alias', 'alias', 'free', 'unknown']) expect((await chat(model)).status).toBe(200);
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const chat = (model: string): Promise<Response> =>
  fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  });

it('admins see on each row what it cost: as its upstream calls the model, 0 on purpose, and null where nobody knows', async () => {
  const { data } = await scene.asRoot('/api/log/?p=1&page_size=10&type=2');
  const { items } = data as { items: { model_name: string; cost_nano_usd: number | null }[] };
  const costs = items.map(({ model_name, cost_nano_usd }) => [model_name, cost_nano_usd]);
  expect(costs).toEqual([
    ['unknown', null],
    ['free', 0],
    ['alias', NANO],
    ['alias', NANO],
  ]);
});

const all = { count: 4, quota: 4 * QUOTA, cost_nano_usd: 2 * NANO, uncosted: 1, uncosted_quota: QUOTA };
it.each([
  ['channel', () => [{ id: channelId, name: 'bought', ...all }]],
  ['user', () => [{ id: alice.user.id, name: 'alice', ...all }]],
  ['group', () => [{ id: 0, name: 'default', ...all }]],
  ['day', () => [{ id: expect.any(Number) as number, name: '', ...all }]],
  [
    'model',
    () => [
      {
        id: 0,
        name: 'alias',
        count: 2,
        quota: 2 * QUOTA,
        cost_nano_usd: 2 * NANO,
        uncosted: 0,
        uncosted_quota: 0,
      },
      { id: 0, name: 'free', count: 1, quota: QUOTA, cost_nano_usd: 0, uncosted: 0, uncosted_quota: 0 },
      {
        id: 0,
        name: 'unknown',
        count: 1,
        quota: QUOTA,
        cost_nano_usd: 0,
        uncosted: 1,
        uncosted_quota: QUOTA,
      },
    ],
  ],
])('the margin by %s is exact, and calls of unknown cost are counted beside it', async (by, expected) => {
  const { data } = await scene.asRoot(`/api/data/margin?by=${by}&username=alice`);
  const shares = data as { name: string }[];
  expect(by === 'model' ? shares.toSorted((one, other) => (one.name < other.name ? -1 : 1)) : shares).toEqual(
    expected(),
  );
});

it('the margin covers the calls that match the filters', async () => {
  const count = async (query: string) => {
    const { data } = await scene.asRoot(`/api/data/margin?by=day&${query}`);
    return (data as { count: number }[]).reduce((sum, share) => sum + share.count, 0);
  };
  const alices = 'username=alice';
  expect(await count(`${alices}&model_name=alias`)).toBe(2);
  expect(await count(`${alices}&model_name=sold`)).toBe(0);
  expect(await count(`${alices}&channel=${channelId}&group=default`)).toBe(4);
  expect(await count(`${alices}&channel=${channelId + 1}`)).toBe(0);
  expect(await count(`${alices}&end_timestamp=1`)).toBe(0);
  expect((await scene.asRoot('/api/data/margin?by=key')).status).toBe(400);
});

it('a test of a channel is a cost of the house, and no sale at an unknown cost', async () => {
  const tested = await scene.asRoot(`/api/channel/test/${channelId}?model=alias`);
  expect(tested.message).toBe('');
  await expect
    .poll(async () => (await scene.asRoot('/api/data/house_costs')).data)
    .toEqual([
      {
        channel_id: channelId,
        kind: 'test',
        created_at: expect.any(Number) as number,
        count: 1,
        cost_nano_usd: NANO,
        uncosted: 0,
        estimated: 0,
      },
    ]);
  const { data } = await scene.asRoot('/api/data/margin?by=channel');
  expect(data).toMatchObject([{ cost_nano_usd: 2 * NANO, uncosted: 1 }]);
});

it('a call within the day’s free allowance costs nothing, the one over its edge its part, and a test uses it too', async () => {
  const allowance = { name: 'handout', models: ['s*', 'unknown'], of: 'tokens', amount: 25, by: 'name' };
  const setting = JSON.stringify({ cost: { ...cost, allowances: [allowance] } });
  await scene.asRoot('/api/channel', { method: 'PUT', body: { id: channelId, setting } });
  expect(await today()).toEqual([{ name: 'handout', of: 'tokens', given: 0, amount: 25 }]);
  expect((await chat('unknown')).status).toBe(200);
  expect((await scene.asRoot(`/api/channel/test/${channelId}?model=alias`)).message).toBe('');
  await expect.poll(async () => (await today())?.[0]?.given).toBe(20);
  for (const model of ['alias', 'free', 'alias']) expect((await chat(model)).status).toBe(200);
  const { data } = await scene.asRoot('/api/log/?p=1&page_size=5&type=2&username=alice');
  const { items } = data as { items: { model_name: string; cost_nano_usd: number; other: string }[] };
  const told = items.map(({ model_name, cost_nano_usd, other }) => {
    const { admin_info: info } = JSON.parse(other) as { admin_info: { free?: { amount: number } } };
    return [model_name, cost_nano_usd, info.free?.amount];
  });
  expect(told.slice(0, 4)).toEqual([
    ['alias', NANO, undefined],
    ['free', 0, undefined],
    ['alias', NANO / 2, 5],
    ['unknown', 0, 10],
  ]);
  expect(await today()).toMatchObject([{ given: 25 }]);
  const [tests] = (await scene.asRoot('/api/data/house_costs')).data as object[];
  expect(tests).toMatchObject({ kind: 'test', count: 2, cost_nano_usd: NANO, uncosted: 0 });
});

const today = async () => {
  const { data } = await scene.asRoot(`/api/channel/${channelId}`);
  return (data as Data<typeof readChannel>).free_today;
};

it('no answer to a user, of any call that users may make, tells a cost', async () => {
  const { stage, root } = scene;
  const other = await stage.person('bob');
  const texts = new Map<string, string>();
  const read = async (name: string, path: string, credentials: Record<string, string>, sent?: Sent) => {
    const { status, text } = await stage.caller(credentials)(path, sent);
    expect(status, name).not.toBe(404);
    texts.set(name, text);
  };
  for (const { method, path, access } of endpoints) {
    if (access === 'admin' || access === 'root') continue;
    const name = `${method} ${path}`;
    // What writes may change or delete who asks.
    const self = method === 'GET' ? alice.user : await stage.person(`w${String(texts.size)}`);
    const wanted = await matrix[name]?.request({
      stage,
      upstream,
      root,
      self,
      other,
      unique: `u${String(texts.size)}`,
    });
    if (wanted !== undefined)
      // One of the calls ends the session.
      await read(name, wanted.path, await stage.session(self), { method, body: wanted.body });
  }
  const bearer = { authorization: `Bearer sk-${alice.key}` };
  const byKey = ['/api/log/token', '/api/usage/token', '/v1/models', '/v1/dashboard/billing/usage'];
  for (const path of byKey) await read(path, path, bearer);
  // The walk has met what it is about: the own rows, by session and by key.
  for (const name of ['GET /api/log/self', '/api/log/token']) expect(texts.get(name)).toContain('"alias"');
  expect(texts.size).toBeGreaterThan(70);
  expect([...texts.keys()].filter((name) => /^(POST|PUT|DELETE) /.test(name)).length).toBeGreaterThan(30);
  for (const [name, text] of texts) {
    expect(text, name).not.toMatch(/cost_|_nano|uncosted|margin|below_cost|"bought"|handout/i);
    expect(text, name).not.toContain(String(NANO));
  }
});

it('settings that do not hold are refused by name', async () => {
  const save = (setting: object) =>
    scene.asRoot('/api/channel', {
      method: 'PUT',
      body: { id: channelId, setting: JSON.stringify(setting) },
    });
  for (const bad of [{ facto: 1 }, { factor: -1 }, { models: { a: { call: -1 } } }]) {
    const got = await save({ cost: bad });
    expect(got.success).toBe(false);
    expect(got.message).toContain('cost');
  }
  expect((await save({ cost })).message).toBe('');
});

it('a deleted channel, and a table that changed, leave the margin as it was', async () => {
  const margin = async (by: string) => (await scene.asRoot(`/api/data/margin?by=${by}&username=alice`)).data;
  const before = { channels: (await margin('channel')) as object[], days: await margin('day') };
  const setting = JSON.stringify({ cost: { ...cost, factor: 9 } });
  await scene.asRoot('/api/channel', { method: 'PUT', body: { id: channelId, setting } });
  expect((await scene.asRoot(`/api/channel/${String(channelId)}`, { method: 'DELETE' })).message).toBe('');
  const numbers = (share: Record<string, unknown>) => ({ ...share, name: '' });
  const after = (await margin('channel')) as Record<string, unknown>[];
  expect(after.map(numbers)).toEqual((before.channels as Record<string, unknown>[]).map(numbers));
  expect(await margin('day')).toEqual(before.days);
});
