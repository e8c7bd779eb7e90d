import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../../../simulator/start.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../../http/testing/small-upstream.ts';

/** Prices per second and resolution, from the call or the task to hold, row and preview (docs/billing.md). */

let upstream: SmallUpstream;
let simulator: RunningSimulator;
let scene: Scene;
let alice: Spender;

const media = { seconds: { usual: 5 }, resolutions: { '720p': 1, '1080p': 2.5, '1280x720': 1 } };

beforeAll(async () => {
  [upstream, simulator, scene] = [await startSmallUpstream(), await startSimulator(), await openScene()];
  alice = await scene.spender('alice', 100_000_000);
  const { stage, root } = scene;
  await stage.channel(root, { baseUrl: upstream.url, models: 'film' });
  await stage.channel(root, { type: 5, baseUrl: simulator.url, models: 'mj_imagine', key: 'k' });
  // Ten cents a second.
  await scene.set('ModelPrice', JSON.stringify({ film: 0.1, mj_imagine: 0.1 }));
  await scene.set('PriceDimensions', JSON.stringify({ film: { media }, mj_imagine: { media } }));
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
  await simulator.stop();
});

const post = (path: string, body: object, { key }: Spender = alice): Promise<Response> =>
  fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const lastRow = async () => {
  const { data } = await scene.asRoot('/api/log/?p=1&page_size=1&type=2');
  const [row] = (data as { items: { quota: number; other: string }[] }).items;
  return { units: row?.quota, other: JSON.parse(row?.other ?? '{}') as Record<string, unknown> };
};

const chat = { model: 'film', messages: [{ role: 'user', content: 'a cat' }] };
const CHAT = '/v1/chat/completions';

it.each<[string, string, object, number]>([
  ['a chat', CHAT, { ...chat, seconds: 8, resolution: '720p' }, 400_000],
  ['a chat of who says nothing', CHAT, chat, 625_000],
  ['a chat in an object', CHAT, { ...chat, extra_body: { duration: '4', size: '1080p' } }, 500_000],
  ['two of them', CHAT, { ...chat, n: 2, seconds: 1, resolution: '720p' }, 100_000],
  [
    'a picture',
    '/v1/images/generations',
    { model: 'film', prompt: 'a', duration: 2, size: '1280x720' },
    100_000,
  ],
  ['a response', '/v1/responses', { model: 'film', input: 'a', seconds: 3, resolution: '1080p' }, 375_000],
])('%s is held and charged by what it asks for', async (_, path, body, units) => {
  const reply = await post(path, body);
  expect(reply.status, await reply.text()).toBe(200);
  const row = await lastRow();
  expect(row.units).toBe(units);
  expect(row.other).toMatchObject({ hold_units: units, price_units: units });
});

it('seconds and resolution are factors of the receipt', async () => {
  await post(CHAT, { ...chat, seconds: 8, resolution: '1080p' });
  expect((await lastRow()).other['price_steps']).toMatchObject([
    { bucket: 'call', factors: { perCall: '0.1', seconds: '8', resolution: '2.5' }, units: '1000000' },
  ]);
});

it('who cannot pay for so many seconds is refused, and the upstream hears nothing', async () => {
  const poor = await scene.spender('poor', 399_999);
  const before = upstream.requests.length;
  expect((await post(CHAT, { ...chat, seconds: 8, resolution: '720p' }, poor)).status).toBe(403);
  expect(upstream.requests.length).toBe(before);
  expect((await post(CHAT, { ...chat, seconds: 7, resolution: '720p' }, poor)).status).toBe(200);
});

it('a task is held by what it asks for, and its row says it', async () => {
  const reply = await post('/mj/submit/imagine', { prompt: 'a cat', duration: 6, resolution: '1080p' });
  expect(reply.status, await reply.text()).toBe(200);
  const { items } = await scene.server.parts.stores.tasks.page({ platform: 'mj' }, { page: 1, pageSize: 1 });
  expect(items[0]?.quotaUnits).toBe(750_000);
  expect(JSON.parse(items[0]?.pricing ?? '{}')).toMatchObject({
    price_steps: [{ factors: { seconds: '6', resolution: '2.5' } }],
  });
});

it('a preview charges the seconds and resolutions of each call again', async () => {
  const entries = [
    {
      option: 'PriceDimensions',
      key: 'film',
      value: { media: { ...media, resolutions: { ...media.resolutions, '1080p': 5 } } },
    },
  ];
  const started = await scene.asRoot('/api/price_book/preview', {
    method: 'POST',
    body: { entries, days: 1 },
  });
  const { id } = started.data as { id: number };
  interface Run {
    readonly state: string;
    readonly result: { readonly totals: Record<'charged' | 'now' | 'draft', number> };
  }
  const read = async () => (await scene.asRoot(`/api/price_book/preview/${String(id)}`)).data as Run;
  await expect.poll(async () => (await read()).state).toBe('done');
  const { charged, now, draft } = (await read()).result.totals;
  expect(now).toBe(charged);
  // The calls at 1080p, and those that said nothing, are twice as dear.
  expect(draft - now).toBe(625_000 + 500_000 + 375_000 + 1_000_000);
});

it('the form has an example of it, and everybody sees it in the list of prices', async () => {
  const calls = [{ prompt: 0, completion: 0, seconds: 10, resolution: '1080p' }];
  const body = { model: 'film', dimensions: { media }, calls };
  expect((await scene.asRoot('/api/pricing/example', { method: 'POST', body })).data).toMatchObject([
    { price_units: 1_250_000, usd: 2.5, price_steps: [{ factors: { seconds: '10', resolution: '2.5' } }] },
  ]);
  const { data } = await scene.asRoot('/api/pricing');
  const film = (data as { model_name: string; variants: unknown }[]).find(
    ({ model_name }) => model_name === 'film',
  );
  expect(film?.variants).toMatchObject([
    { kind: 'seconds', name: '5', call: 1 },
    { kind: 'resolution', name: '720p', call: 1 },
    { kind: 'resolution', name: '1080p', call: 2.5 },
    { kind: 'resolution', name: '1280x720', call: 1 },
  ]);
});
