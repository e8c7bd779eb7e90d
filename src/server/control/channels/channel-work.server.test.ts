import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelStatus, role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const folder = temporaryFolder();
let server: RunningServer;
let stage: Stage;
let upstream: SmallUpstream;
let root: User;
let call: Caller;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  call = stage.caller(await stage.session(root));
});
afterAll(async () => {
  await server.stop();
  await upstream.close();
  folder.remove();
});

const inChinese = { 'Accept-Language': 'zh' };
const send = (method: string, path: string, body: object) => call(path, { method, body, headers: inChinese });
const rowOf = (id: number) => server.parts.stores.channels.byId(id);
const set = (key: string, value: string) => call('/api/option', { method: 'PUT', body: { key, value } });
const remove = async () => {
  const ids = (await allChannels(server.parts.stores.channels)).map(({ id }) => id);
  if (ids.length > 0) await send('POST', '/api/channel/batch', { ids });
};
const roundEnds = async (kind: 'test' | 'balance') => {
  await expect.poll(() => server.parts.rounds.state(kind)?.isRunning).toBe(false);
  return server.parts.rounds.state(kind);
};

describe('many channels at once', () => {
  it('are deleted by their ids, and the answer says how many there were', async () => {
    const one = await stage.channel(root);
    const two = await stage.channel(root);
    const got = await send('POST', '/api/channel/batch', { ids: [one.id, two.id, 99_999] });
    expect(got.data).toBe(2);
    expect(await rowOf(one.id)).toBeUndefined();
  });

  it('are tagged and untagged', async () => {
    const one = await stage.channel(root);
    expect((await send('POST', '/api/channel/batch/tag', { ids: [one.id], tag: ' blue ' })).data).toBe(1);
    expect((await rowOf(one.id))?.tag).toBe('blue');
    await send('POST', '/api/channel/batch/tag', { ids: [one.id], tag: null });
    expect((await rowOf(one.id))?.tag).toBeNull();
  });

  it.each([
    ['POST', '/api/channel/batch', { ids: [] }, '请先选择要删除的通道！'],
    ['POST', '/api/channel/batch/tag', { ids: [], tag: 'a' }, '请先选择要设置标签的渠道！'],
    ['POST', '/api/channel/batch/tag', { ids: [1], tag: ' ' }, '标签不能为空！'],
    ['PUT', '/api/channel/tag', { tag: 'a', priority: 1.5 }, '优先级必须是整数！'],
    ['PUT', '/api/channel/tag', { tag: 'a', weight: -1 }, '权重必须是非负整数！'],
    ['PUT', '/api/channel/tag', { tag: 'a' }, '没有任何修改！'],
    ['PUT', '/api/channel/tag', { tag: 'a', new_tag: 'a', models: '', groups: '' }, '没有任何修改！'],
    ['PUT', '/api/channel/tag', { tag: 'a', model_mapping: '[' }, '模型映射必须是合法的 JSON 格式！'],
    ['POST', '/api/channel/tag/enabled', { tag: 'nobody has it' }, '没有渠道使用标签 nobody has it'],
  ])('%s %s %j is refused: %s', async (method, path, body, message) => {
    const got = await send(method, path, body);
    expect([got.success, got.message]).toEqual([false, message]);
  });

  it('that are disabled are deleted, by hand or automatically, and no others', async () => {
    await remove();
    const on = await stage.channel(root);
    await stage.channel(root, { status: channelStatus.disabled });
    const auto = await stage.channel(root);
    await server.parts.stores.channels.autoDisable(auto.id, 'no credit', 1);
    expect((await call('/api/channel/disabled', { method: 'DELETE' })).data).toBe(2);
    expect((await allChannels(server.parts.stores.channels)).map(({ id }) => id)).toEqual([on.id]);
    expect((await call('/api/channel/fix', { method: 'POST' })).data).toBe(1);
  });

  it('are copied with their key, which works and is not shown', async () => {
    const one = await stage.channel(root, { baseUrl: upstream.url, key: 'sk-canary-copied', tag: 'x' });
    const got = await send('POST', `/api/channel/copy/${one.id}`, {});
    const copy = await rowOf(Number(got.data));
    expect(copy).toMatchObject({ name: `${one.name}_copy`, tag: 'x', usedQuotaUnits: 0, status: 1 });
    expect(copy?.encryptedKey).not.toBe(one.encryptedKey);
    expect((await call(`/api/channel/test/${String(got.data)}`)).success).toBe(true);
    expect(upstream.requests.at(-1)?.authorization).toBe('Bearer sk-canary-copied');
  });
});

describe('a tag', () => {
  it('is one row of the list: its channels, groups together, quota summed, what differs null', async () => {
    await remove();
    const one = await stage.channel(root, { tag: 'blue', groups: 'default,vip', priority: 5, weight: 2 });
    const two = await stage.channel(root, { tag: 'blue', groups: 'default', priority: 5, weight: 3 });
    const red = await stage.channel(root, { tag: 'red', status: channelStatus.disabled });
    await stage.channel(root);
    await server.parts.stores.channels.update(one.id, { responseTimeMs: 1000 });
    await server.parts.stores.channels.update(two.id, { responseTimeMs: 2001 });
    const list = (await call('/api/channel?tag_mode=true&page_size=1')).data as {
      total: number;
      items: { id: number }[];
      tags: object[];
    };
    expect([list.total, list.items.map(({ id }) => id)]).toEqual([2, [two.id, one.id]]);
    expect(list.tags).toEqual([
      {
        id: one.id,
        tag: 'blue',
        count: 2,
        channels: [two.id, one.id],
        enabled: 2,
        group: 'default,vip',
        used_quota: 0,
        response_time: 1501,
        priority: 5,
        weight: null,
      },
    ]);
    const found = (await call('/api/channel/search?tag_mode=true&group=vip')).data as { items: unknown[] };
    expect(found.items).toHaveLength(2);
    // The sums alone are the same, without a channel; a tag's channels are a list of their own.
    const sums = (await call('/api/channel?tag_mode=true&tag_sums=true')).data;
    expect(sums).toMatchObject({ total: 2, items: [] });
    expect((sums as { tags: object[] }).tags).toEqual([
      { ...list.tags[0], channels: [] },
      expect.objectContaining({ id: red.id, tag: 'red', count: 1, enabled: 0, response_time: 0 }),
    ]);
    const vip = await call('/api/channel/search?tag_mode=true&tag_sums=true&group=vip');
    expect(vip.data).toMatchObject({ total: 1, items: [], tags: [{ tag: 'blue', count: 2 }] });
    const ofTag = async (query: string) =>
      ((await call(`/api/channel?tag=${query}`)).data as typeof list).items.map(({ id }) => id);
    expect(await ofTag('blue')).toEqual([two.id, one.id]);
    expect(await ofTag('blue&page_size=1&p=2')).toEqual([one.id]);
    expect(await ofTag('blu')).toEqual([]);
    expect(await ofTag('')).toHaveLength(4);
  });

  it('is edited as a whole: empty fields stay unchanged, an empty new name dissolves it', async () => {
    await remove();
    const one = await stage.channel(root, { tag: 'blue', models: 'a', groups: 'vip' });
    const two = await stage.channel(root, { tag: 'blue', models: 'b,c' });
    expect((await call('/api/channel/tag/models?tag=blue')).data).toBe('b,c');
    await send('PUT', '/api/channel/tag', { tag: 'blue', new_tag: 'green', models: 'x, y', priority: 7 });
    for (const { id } of [one, two])
      expect(await rowOf(id)).toMatchObject({ tag: 'green', models: 'x,y', priority: 7 });
    expect((await rowOf(one.id))?.groups).toBe('vip');
    await send('POST', '/api/channel/tag/disabled', { tag: 'green' });
    expect((await rowOf(one.id))?.status).toBe(channelStatus.disabled);
    // Why one of them had stopped is no longer so.
    const stopped = { status: channelStatus.autoDisabled, otherInfo: '{"status_reason":"no credit"}' };
    await server.parts.stores.channels.update(two.id, stopped);
    await send('POST', '/api/channel/tag/enabled', { tag: 'green' });
    expect(await rowOf(two.id)).toMatchObject({ status: channelStatus.enabled, otherInfo: '' });
    await send('PUT', '/api/channel/tag', { tag: 'green', new_tag: '' });
    expect((await rowOf(one.id))?.tag).toBeNull();
  });
});

describe('looking after channels', () => {
  it('tests all of them in the background, once at a time, and says how far it is', async () => {
    await remove();
    await stage.channel(root, { baseUrl: upstream.url });
    await stage.channel(root, { baseUrl: 'http://127.0.0.1:9' });
    await stage.channel(root, { baseUrl: upstream.url, status: channelStatus.disabled });
    await stage.channel(root, { baseUrl: upstream.url, type: 2 });
    expect((await call('/api/channel/test')).success).toBe(true);
    expect((await call('/api/channel/test', { headers: inChinese })).message).toBe('测试已在运行中');
    const end = await roundEnds('test');
    expect(end).toMatchObject({ total: 2, done: 2, failed: 1, isStopped: false });
    const state = (await call('/api/channel/round')).data as { test: object; balance: unknown };
    expect(state.test).toMatchObject({ running: false, done: 2, total: 2, failed: 1, current: '' });
  });

  it('switches a slow or failing channel off and one that works again on, where the options say so', async () => {
    await remove();
    const good = await stage.channel(root, { baseUrl: upstream.url });
    const bad = await stage.channel(root, { baseUrl: `${upstream.url}/echo` });
    const spared = await stage.channel(root, { baseUrl: `${upstream.url}/echo`, autoDisable: false });
    await server.parts.stores.channels.autoDisable(good.id, 'no credit', 1);
    await set('AutomaticDisableChannelEnabled', 'true');
    await set('AutomaticEnableChannelEnabled', 'true');
    await call('/api/channel/test');
    await roundEnds('test');
    // Channels are switched after the round has said that it is over.
    await expect.poll(async () => (await rowOf(bad.id))?.status).toBe(channelStatus.autoDisabled);
    await expect.poll(async () => (await rowOf(good.id))?.status).toBe(channelStatus.enabled);
    expect((await rowOf(good.id))?.otherInfo).toBe('');
    const off = await rowOf(bad.id);
    expect(JSON.parse(off?.otherInfo ?? '')).toMatchObject({
      status_reason: expect.stringContaining('401'),
      status_time: expect.any(Number),
    });
    expect((await rowOf(spared.id))?.status).toBe(channelStatus.enabled);
  });

  it('tests a channel as it is when its turn comes, and judges none that was given another address since', async () => {
    await remove();
    await set('AutomaticDisableChannelEnabled', 'true');
    await set('AutomaticEnableChannelEnabled', 'false');
    const asked: ServerResponse[] = [];
    const held = createServer((_, response) => void asked.push(response)).listen(0, '127.0.0.1');
    await once(held, 'listening');
    const { port } = held.address() as AddressInfo;
    const one = await stage.channel(root, { baseUrl: `http://127.0.0.1:${port}` });
    const two = await stage.channel(root, { baseUrl: `${upstream.url}/echo` });
    await call('/api/channel/test');
    await expect.poll(() => asked.length).toBe(1);
    for (const { id } of [one, two]) await server.parts.stores.channels.update(id, { baseUrl: upstream.url });
    await server.parts.refreshRouting();
    asked[0]?.writeHead(401).end();
    expect(await roundEnds('test')).toMatchObject({ total: 2, done: 2, failed: 1 });
    held.close();
    await call('/api/channel/test');
    expect(await roundEnds('test')).toMatchObject({ done: 2, failed: 0 });
    for (const { id } of [one, two]) expect((await rowOf(id))?.status).toBe(channelStatus.enabled);
  });

  it('asks for one balance and keeps it; types that tell none are refused', async () => {
    const one = await stage.channel(root, { baseUrl: upstream.url });
    const got = await call(`/api/channel/update_balance/${one.id}/`);
    expect([got.success, (JSON.parse(got.text) as { balance: number }).balance]).toEqual([true, 12.5]);
    expect(await rowOf(one.id)).toMatchObject({ balanceUsd: 12.5 });
    const none = await stage.channel(root, { baseUrl: upstream.url, type: 42 });
    const refused = await call(`/api/channel/update_balance/${none.id}`, { headers: inChinese });
    expect([refused.success, refused.message]).toEqual([false, '该类型的渠道不支持查询余额']);
  });

  it('updates the balances of enabled channels that tell one', async () => {
    await remove();
    const one = await stage.channel(root, { baseUrl: upstream.url });
    await stage.channel(root, { baseUrl: upstream.url, status: channelStatus.disabled });
    expect((await call('/api/channel/update_balance')).success).toBe(true);
    expect(await roundEnds('balance')).toMatchObject({ total: 1, done: 1, failed: 0 });
    expect((await rowOf(one.id))?.balanceUsd).toBe(12.5);
  });

  it('knows who has been calling through a channel, by group and kind of program', async () => {
    await remove();
    const one = await stage.channel(root, { baseUrl: upstream.url, models: 'gpt-small' });
    const token = await stage.token(root);
    await server.parts.stores.ledger.move({
      kind: 'grant',
      ref: 'seen',
      userId: root.id,
      deltaUnits: 1_000_000,
      reason: '',
      actorId: 0,
      nowMs: 1,
    });
    await set('ModelRatio', JSON.stringify({ 'gpt-small': 0.01 }));
    const chat = (agent: string) =>
      fetch(`${stage.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer sk-${token.key}`,
          'content-type': 'application/json',
          'user-agent': agent,
        },
        body: JSON.stringify({
          model: 'gpt-small',
          max_tokens: 5,
          messages: [{ role: 'user', content: 'a' }],
        }),
      }).then(async (answer) => [answer.status, await answer.text()]);
    expect((await chat('curl/8.5.0'))[0]).toBe(200);
    await chat('curl/8.5.0');
    await chat('OpenAI/Python 1.40.0');
    const got = (await call(`/api/channel/test_upstream/${one.id}`)).data;
    expect(got).toEqual({
      groups: [
        {
          group: 'default',
          first_seen: expect.any(Number),
          last_seen: expect.any(Number),
          client_types: [
            expect.objectContaining({ client_type: 'curl', count: 2 }),
            expect.objectContaining({ client_type: 'OpenAI SDK for Python', count: 1 }),
          ],
        },
      ],
    });
    await chat('curl/8.5.0');
    await server.parts.seen.flush();
    expect(await server.parts.stores.sightings.ofChannel(one.id)).toContainEqual(
      expect.objectContaining({ clientType: 'curl', group: 'default', count: 3 }),
    );
  });
});
