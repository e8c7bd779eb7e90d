import { afterAll, beforeAll, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import type { Caller, Got } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';

/** A channel tried while it is still a form. */

const KEY = 'sk-canary-channel-key';
let scene: Scene;
let upstream: SmallUpstream;
let call: Caller;

beforeAll(async () => {
  [upstream, scene] = await Promise.all([startSmallUpstream(), openScene()]);
  call = scene.stage.caller({ ...(await scene.stage.session(scene.root)), 'Accept-Language': 'zh' });
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const form = (more: object = {}) => ({ type: 1, key: KEY, models: 'gpt-x', base_url: upstream.url, ...more });
const test = (more: object = {}): Promise<Got> =>
  call('/api/channel/test', { method: 'POST', body: form(more) });

it('sends a small request as the channel would, and keeps nothing', async () => {
  const { channels } = scene.server.parts.stores;
  const before = (await allChannels(channels)).length;
  const got = await test({
    model_mapping: '{"gpt-x":"gpt-small"}',
    param_override: '{"temperature":0.5}',
  });
  expect([got.success, got.message]).toEqual([true, '']);
  expect(JSON.parse(got.text)).toMatchObject({ time: expect.any(Number) });
  const sent = upstream.requests.at(-1);
  expect(sent).toMatchObject({ path: '/v1/chat/completions', authorization: `Bearer ${KEY}` });
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ model: 'gpt-small', temperature: 0.5 });
  expect((await allChannels(channels)).length).toBe(before);
});

it('tests the model that is asked for, else the test model', async () => {
  const modelOf = async (more: object): Promise<unknown> => {
    await test(more);
    return (JSON.parse(upstream.requests.at(-1)?.body ?? '') as { model?: unknown }).model;
  };
  expect(await modelOf({ models: 'a,b', test_model: 'b' })).toBe('b');
  expect(await modelOf({ models: 'a,b', test_model: 'b', model: 'a' })).toBe('a');
});

it("shows the upstream's answer without the key", async () => {
  const got = await test({ base_url: `${upstream.url}/echo` });
  expect([got.success, got.message]).toEqual([false, expect.stringContaining('Incorrect API key provided')]);
  expect(got.text).not.toContain(KEY);
});

it('uses the saved key where none is entered, and only where it may be sent', async () => {
  const { id } = await scene.stage.channel(scene.root, { baseUrl: upstream.url, key: KEY });
  expect((await test({ id, key: '' })).success).toBe(true);
  expect(upstream.requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
  const asked = upstream.requests.length;
  const elsewhere = upstream.url.replace('127.0.0.1', 'localhost');
  const refused = [await test({ id, key: '', base_url: elsewhere }), await test({ id, key: '', type: 14 })];
  expect(refused.map(({ success }) => success)).toEqual([false, false]);
  expect((await test({ key: '' })).message).toBe('请填写密钥');
  expect((await test({ models: '' })).message).toBe('请至少选择一个模型！');
  expect(upstream.requests.length).toBe(asked);
});

it('a Vertex key is the JSON of a service account, or one of the express mode', async () => {
  const make = async (key: string): Promise<string> => {
    const body = { ...form({ type: 41, key, base_url: '', name: 'vertex' }) };
    return (await call('/api/channel', { method: 'POST', body })).message;
  };
  expect(await make('AQ.Ab8RN6K-of_express')).toBe('');
  expect(await make('{"type":"service_account",\n"project_id":"one"}')).toBe('');
  expect(await make('{"type":')).toBe('密钥必须是服务账号 JSON');
  expect(await make('[1]')).toBe('密钥必须是服务账号 JSON');
});

const prices = (more: object = {}): Promise<Got> =>
  call('/api/channel/prices', {
    method: 'POST',
    body: form({ base_url: `${upstream.url}/family`, models: 'gpt-x,drawing,new-model', ...more }),
  });

it('learns what its upstream asks for its models, by the names there, and saves nothing', async () => {
  const { channels } = scene.server.parts.stores;
  const before = await allChannels(channels);
  const got = await prices({ model_mapping: '{"gpt-x":"gpt-small"}' });
  expect(got.data).toEqual({
    prices: [
      { model: 'gpt-small', cost: { input: 1, output: 3 }, partial: false },
      { model: 'drawing', cost: { call: 0.04 }, partial: false },
    ],
    unpriced: ['new-model'],
    groups: [
      { name: 'default', ratio: 1 },
      { name: 'vip', ratio: 0.8 },
      { name: 'toString', ratio: 3 },
    ],
  });
  expect(upstream.requests.at(-1)).toMatchObject({
    path: '/family/api/pricing',
    authorization: `Bearer ${KEY}`,
  });
  expect(await allChannels(channels)).toEqual(before);
});

it('is told why there are no prices, without the key', async () => {
  const plain = await prices({ base_url: upstream.url });
  expect([plain.success, plain.message]).toEqual([false, expect.stringContaining('读取价格失败：')]);
  const echoed = await prices({ base_url: `${upstream.url}/echo` });
  expect(echoed.success).toBe(false);
  expect(echoed.text).not.toContain(KEY);
  expect((await prices({ type: 14, base_url: '' })).message).toBe('该类型的渠道不支持读取价格');
});
