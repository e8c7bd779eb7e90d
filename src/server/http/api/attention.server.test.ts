import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../testing/small-upstream.ts';

let upstream: SmallUpstream;
let scene: Scene;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const attention = async (): Promise<unknown> => (await scene.asRoot('/api/data/attention')).data;
const nothing = { total: 0, items: [] };

it('nothing needs a hand on a fresh site, also where accounts without quota never called', async () => {
  await scene.stage.person('newcomer');
  expect(await attention()).toEqual({ channels: nothing, models: nothing, users: nothing });
});

it('names who spent all they had, what is offered without a price, and what was switched off and why', async () => {
  await scene.set('ModelPrice', JSON.stringify({ priced: 0.5 }));
  const { stage, root, server } = scene;
  await stage.channel(root, { name: 'serving', baseUrl: upstream.url, models: 'priced,unheard-of' });
  const off = await stage.channel(root, { name: 'failing', baseUrl: upstream.url, models: 'priced' });
  const alice = await scene.spender('alice', 250_000);
  const richer = await scene.spender('richer', 500_000);
  for (const { key } of [alice, richer]) {
    const { status } = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'priced', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(status).toBe(200);
  }
  await server.parts.stores.channels.autoDisable(off.id, 'insufficient balance', 1_700_000_000_000);
  await expect.poll(attention).toEqual({
    channels: {
      total: 1,
      items: [{ id: off.id, name: 'failing', reason: 'insufficient balance', disabled_time: 1_700_000_000 }],
    },
    models: { total: 1, items: ['unheard-of'] },
    users: { total: 1, items: [{ id: alice.user.id, username: 'alice', quota: 0 }] },
  });
});

it('models without a price are no trouble where the operator alone calls', async () => {
  await scene.set('SelfUseModeEnabled', true);
  expect(await attention()).toMatchObject({ models: nothing });
});
