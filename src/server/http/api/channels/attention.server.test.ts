import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../testing/scene.ts';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { type SmallUpstream, startSmallUpstream } from '../../testing/small-upstream.ts';

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

it('nothing needs attention on a fresh site, even with accounts without quota that never called', async () => {
  await scene.stage.person('newcomer');
  const kinds = ['channels', 'keys', 'refusing', 'models', 'users', 'prices'];
  expect(await attention()).toEqual(Object.fromEntries(kinds.map((kind) => [kind, nothing])));
});

it('lists accounts out of quota, offered models without a price, and what was switched off and why', async () => {
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
    keys: nothing,
    refusing: nothing,
    models: { total: 1, items: ['unheard-of'] },
    users: { total: 1, items: [{ id: alice.user.id, username: 'alice', quota: 0 }] },
    prices: nothing,
  });
});

it('models without a price need no attention in self-use mode', async () => {
  await scene.set('SelfUseModeEnabled', true);
  expect(await attention()).toMatchObject({ models: nothing });
});

it('names keys that were revoked or are out of money, of channels that are enabled, and shows none of them', async () => {
  const { stage, root, server } = scene;
  const made = await stage.channel(root, { name: 'pool', baseUrl: upstream.url, models: 'priced' });
  const off = await stage.channel(root, { name: 'off', baseUrl: upstream.url, models: 'priced' });
  const secret = 'sk-a-secret-that-nobody-may-see';
  const { channelKeys } = server.parts.stores;
  for (const { id } of [made, off]) {
    const keys = Array.from({ length: 4 }, (_, at) => `${secret}-${String(id)}-000${String(at)}`).join('\n');
    await scene.asRoot(`/api/channel/${String(id)}/keys`, { method: 'POST', body: { keys } });
    const [first, second, third] = await channelKeys.ofChannels([id]);
    const mark = (key: typeof first, status: 'revoked' | 'spent' | 'cooling', changedAtMs: number) =>
      channelKeys.change(id, key?.id ?? 0, { status, reason: `is ${status}`, changedAtMs });
    await mark(first, 'spent', 1_700_000_000_000);
    await mark(second, 'revoked', 1_700_000_100_000);
    await mark(third, 'cooling', 1_700_000_200_000);
  }
  await scene.asRoot('/api/channel', { method: 'PUT', body: { id: off.id, status: 2 } });
  const told = await attention();
  expect(told).toMatchObject({
    keys: {
      total: 2,
      items: [
        {
          channel_id: made.id,
          channel: 'pool',
          status: 'revoked',
          reason: 'is revoked',
          changed_time: 1_700_000_100,
        },
        {
          channel_id: made.id,
          channel: 'pool',
          status: 'spent',
          reason: 'is spent',
          changed_time: 1_700_000_000,
        },
      ],
    },
  });
  expect(JSON.stringify(told)).not.toContain(secret);
});

it('names changes of prices that were due and are not published, and no drafts that wait', async () => {
  const { priceBook } = scene.server.parts.stores;
  const made = async (reason: string): Promise<number> => {
    const entries = [{ option: 'ModelPrice', key: reason, value: 1 }];
    const { data } = await scene.asRoot('/api/price_book/draft', {
      method: 'POST',
      body: { reason, entries },
    });
    return (data as { id: number }).id;
  };
  const [, due, taken] = [await made('waits'), await made('is due'), await made('was changed')];
  await priceBook.changeDraft(due, ['open'], { state: 'due', dueAtMs: 4e12 }, 1);
  await priceBook.changeDraft(taken, ['open'], { state: 'conflict' }, 1);
  const prices = { total: 1, items: [{ id: taken, reason: 'was changed', state: 'conflict' }] };
  expect(await attention()).toMatchObject({ prices });
});

it('names a channel that refuses what another answers, with its words, until it answers', async () => {
  let isWrong = true;
  const refuser = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(isWrong ? 404 : 200, { 'content-type': 'application/json' });
      const message = { role: 'assistant', content: 'Hi.' };
      const answer = { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] };
      response.end(JSON.stringify(isWrong ? { error: { message: 'no such deployment' } } : answer));
    });
  });
  const { stage, root, server } = scene;
  const baseUrl = await listening(refuser);
  await scene.set('ModelRatio', JSON.stringify({ fussy: 1 }));
  const wrong = await stage.channel(root, { name: 'wrong', baseUrl, models: 'fussy', priority: 9 });
  await stage.channel(root, { name: 'right', baseUrl: upstream.url, models: 'fussy' });
  const { key } = await scene.spender('bob', 1_000_000_000);
  const ask = async (): Promise<number> => {
    const { status } = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fussy', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    return status;
  };
  expect([await ask(), await ask()]).toEqual([200, 200]);
  const item = {
    channel_id: wrong.id,
    channel: 'wrong',
    key_id: 0,
    key: '',
    model: 'fussy',
    reason: 'no such deployment',
  };
  expect(await attention()).toMatchObject({ refusing: { total: 1, items: [item] } });
  isWrong = false;
  expect(await ask()).toBe(200);
  expect(await attention()).toMatchObject({ refusing: nothing });
  hangUp(refuser);
});
