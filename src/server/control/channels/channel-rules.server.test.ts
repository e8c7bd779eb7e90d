import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import type { Caller, Got } from '../../http/testing/caller.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

/** The calls on channels as the specification words them: what is refused and how, pages, paths, bounds. */

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
  call = stage.caller({ ...(await stage.session(root)), 'Accept-Language': 'zh' });
});
afterAll(async () => {
  await server.stop();
  await upstream.close();
  folder.remove();
});
beforeEach(async () => {
  for (const { id } of await allChannels(server.parts.stores.channels))
    await server.parts.channels.delete(root, id);
});

const send = (method: string, path: string, body?: unknown): Promise<Got> =>
  call(path, { method, ...(body !== undefined && { body }) });
const wish = { type: 1, name: 'one', key: 'sk-1', models: 'gpt-small' };
/** One character more than the name of a model may have. */
const LONG = 'm'.repeat(256);
const rows = () => allChannels(server.parts.stores.channels);

describe('what is refused, in the words of the specification', () => {
  const { name: _name, ...nameless } = wish;
  const { key: _key, ...keyless } = wish;
  const { models: _models, ...modelless } = wish;
  it.each([
    ['POST', '/api/channel', nameless, '请填写渠道名称和渠道密钥！'],
    ['POST', '/api/channel', keyless, '请填写渠道名称和渠道密钥！'],
    ['POST', '/api/channel', { ...wish, key: ' ' }, '请填写渠道名称和渠道密钥！'],
    ['POST', '/api/channel', { ...wish, name: 'n'.repeat(101) }, '无效的参数 name：不能超过 100 个字符'],
    [
      'POST',
      '/api/channel/batch/tag',
      { ids: [1], tag: 't'.repeat(101) },
      '无效的参数 tag：不能超过 100 个字符',
    ],
    ['POST', '/api/channel', modelless, '请至少选择一个模型！'],
    ['POST', '/api/channel', { ...wish, models: ' , ' }, '请至少选择一个模型！'],
    [
      'POST',
      '/api/channel',
      { ...wish, models: `m,${LONG}` },
      `模型名称最多 255 个字符：${LONG.slice(0, 40)}…`,
    ],
    ['POST', '/api/channel', { ...wish, type: 3 }, '类型 Azure OpenAI 没有默认地址，请填写代理地址'],
    ['POST', '/api/channel', { ...wish, type: 8, base_url: ' ' }, '类型 Custom 没有默认地址，请填写代理地址'],
    [
      'POST',
      '/api/channel',
      { ...wish, base_url: 'https://one.example/v1?a=b' },
      '渠道地址不可用：地址中不能包含 ? 或 #',
    ],
    ['POST', '/api/channel', { ...wish, type: 39 }, '类型 Cloudflare 必须填写账户 ID'],
    ['POST', '/api/channel', { ...wish, type: 49 }, '类型 Coze 必须填写机器人 ID'],
    ['POST', '/api/channel', { ...wish, type: 21 }, '类型 AI Proxy knowledge base 必须填写知识库 ID'],
    [
      'POST',
      '/api/channel/fetch_models',
      { type: 108, key: 'k' },
      '类型 Tollgate / New API 没有默认地址，请填写代理地址',
    ],
    ['POST', '/api/channel', { ...wish, model_mapping: '{' }, '模型映射必须是合法的 JSON 格式！'],
    [
      'POST',
      '/api/channel',
      { ...wish, status_code_mapping: '{"500":"200"}' },
      '状态码映射须为 400–599 到 400–599',
    ],
    [
      'POST',
      '/api/channel',
      { ...wish, setting: '{"idle_timeout_ms":1}' },
      '渠道设置中 idle_timeout_ms 的值不合法：不能小于 1000',
    ],
    ['POST', '/api/channel', { ...wish, priority: 'high' }, '优先级必须是整数！'],
    ['POST', '/api/channel', { ...wish, weight: 1.5 }, '权重必须是非负整数！'],
    ['PUT', '/api/channel', { id: 1, priority: 0.5 }, '优先级必须是整数！'],
    ['PUT', '/api/channel', { id: 99_999, priority: 1 }, '渠道未找到，请刷新页面后重试。'],
    ['POST', '/api/channel/batch', {}, '请先选择要删除的通道！'],
    ['POST', '/api/channel/batch/tag', { tag: 'a' }, '请先选择要设置标签的渠道！'],
    ['POST', '/api/channel/batch/tag', { ids: [1] }, '标签不能为空！'],
    ['PUT', '/api/channel/tag', { tag: 'a', priority: 'x' }, '优先级必须是整数！'],
    ['PUT', '/api/channel/tag', { tag: 'a', weight: '-1' }, '权重必须是非负整数！'],
    ['POST', '/api/channel/fetch_models', { type: 1 }, '请填写密钥'],
    ['GET', '/api/channel/99999', undefined, '渠道未找到，请刷新页面后重试。'],
    ['DELETE', '/api/channel/99999/', undefined, '渠道未找到，请刷新页面后重试。'],
    ['GET', '/api/channel/test/99999', undefined, '渠道未找到，请刷新页面后重试。'],
    ['GET', '/api/channel/fetch_models/99999', undefined, '渠道未找到，请刷新页面后重试。'],
    ['GET', '/api/channel/update_balance/99999/', undefined, '渠道未找到，请刷新页面后重试。'],
    ['GET', '/api/channel/test_upstream/99999', undefined, '渠道未找到，请刷新页面后重试。'],
    ['POST', '/api/channel/copy/99999', {}, '渠道未找到，请刷新页面后重试。'],
  ])('%s %s %j: %s', async (method, path, body, message) => {
    const got = await send(method, path, body);
    expect([got.success, got.message]).toEqual([false, message]);
    expect(await rows()).toEqual([]);
  });

  it('a model list that cannot be had begins with 获取模型列表失败', async () => {
    const body = { base_url: 'http://127.0.0.1:9', type: 1, key: 'k' };
    expect((await send('POST', '/api/channel/fetch_models', body)).message).toMatch(/^获取模型列表失败/);
  });
});

describe('an address', () => {
  it.each([2, 3, 5, 8, 36, 108])('is needed by type %s, which has none of its own', async (type) => {
    const got = await send('POST', '/api/channel', { ...wish, type });
    expect([got.success, got.message]).toEqual([false, expect.stringContaining('没有默认地址')]);
    expect(
      (await send('POST', '/api/channel', { ...wish, type, base_url: 'https://one.example' })).success,
    ).toBe(true);
  });

  it('is needed once more when the type is changed to one that has none of its own', async () => {
    await send('POST', '/api/channel', wish);
    const [row] = await rows();
    const change = { id: row?.id, type: 8, key: 'k' };
    const refused = await send('PUT', '/api/channel', change);
    expect([refused.success, refused.message]).toEqual([false, '类型 Custom 没有默认地址，请填写代理地址']);
    expect(
      (await send('PUT', '/api/channel', { ...change, base_url: 'https://one.example/chat' })).success,
    ).toBe(true);
    expect(
      (await send('PUT', '/api/channel', { id: row?.id, type: 1, key: 'k', base_url: '' })).success,
    ).toBe(true);
  });

  it('follows from the region where there is one', async () => {
    await send('POST', '/api/channel', { ...wish, type: 33, key: 'a|b|us-east-1' });
    expect(await rows()).toMatchObject([{ type: 33, baseUrl: '' }]);
  });
});

describe('numbers of a channel', () => {
  it('the name of a model may have 255 characters', async () => {
    await send('POST', '/api/channel', { ...wish, models: LONG.slice(1) });
    expect((await rows())[0]?.models).toHaveLength(255);
  });

  it('priority is at least −999, a weight below 0 becomes 0, and both are read from texts', async () => {
    await send('POST', '/api/channel', { ...wish, priority: -999, weight: -5 });
    await send('POST', '/api/channel', { ...wish, priority: '7', weight: ' 3 ' });
    expect((await rows()).map(({ priority, weight }) => [priority, weight])).toEqual([
      [-999, 0],
      [7, 3],
    ]);
    for (const priority of [-1000, '-1000'])
      expect((await send('POST', '/api/channel', { ...wish, priority })).status).toBe(400);
  });

  it('a new one is of the default group, switched off by errors, of no priority and no weight', async () => {
    await send('POST', '/api/channel', wish);
    const expected = { groups: 'default', autoDisable: true, priority: 0, weight: 0, status: 1, tag: null };
    expect(await rows()).toEqual([expect.objectContaining(expected)]);
  });

  it('type 18 without `other` is v2.1, and a slash at the end of an address is taken off', async () => {
    await send('POST', '/api/channel', {
      ...wish,
      type: 18,
      key: 'a|b|c',
      base_url: 'https://one.example//',
    });
    expect(await rows()).toMatchObject([{ other: 'v2.1', baseUrl: 'https://one.example' }]);
  });

  it('a tag row and its channels get the values of the texts', async () => {
    const { id } = await stage.channel(root, { tag: 'blue' });
    await send('PUT', '/api/channel/tag', { tag: 'blue', priority: '4', weight: '2' });
    expect(await server.parts.stores.channels.byId(id)).toMatchObject({ priority: 4, weight: 2 });
  });
});

describe('pages', () => {
  const pageOf = async (query: string) =>
    (await call(`/api/channel${query}`)).data as {
      items: { id: number }[];
      total: number;
      page: number;
      page_size: number;
    };
  it('begin at 0 or 1, have ten rows unless told, at most a hundred, and end empty', async () => {
    const ids: number[] = [];
    for (let at = 0; at < 12; at += 1) ids.unshift((await stage.channel(root)).id);
    const read = async (query: string) => {
      const { items, total, page, page_size } = await pageOf(query);
      return [items.map(({ id }) => id), total, page, page_size];
    };
    const first = [ids.slice(0, 10), 12, 1, 10];
    for (const query of ['', '/', '?p=0', '?p=1', '?p=-1', '?p=x', '?page_size=0', '?page_size=-1'])
      expect(await read(query)).toEqual(first);
    expect(await read('?p=2')).toEqual([ids.slice(10), 12, 2, 10]);
    expect(await read('?p=3')).toEqual([[], 12, 3, 10]);
    expect(await read('?page_size=1000')).toEqual([ids, 12, 1, 100]);
  });

  it('are by priority, or newest first with id_sort', async () => {
    const low = await stage.channel(root, { priority: -5 });
    const high = await stage.channel(root, { priority: 5 });
    const newest = await stage.channel(root, { priority: 0 });
    const order = async (query: string) => (await pageOf(query)).items.map(({ id }) => id);
    expect(await order('')).toEqual([high.id, newest.id, low.id]);
    expect(await order('/search?id_sort=false')).toEqual([high.id, newest.id, low.id]);
    for (const query of ['?id_sort=true', '/search?id_sort=true&keyword='])
      expect(await order(query)).toEqual([newest.id, high.id, low.id]);
  });

  it('are searched by keyword, group and model together', async () => {
    const one = await stage.channel(root, { name: 'alpha', groups: 'default,vip', models: 'a,b' });
    await stage.channel(root, { name: 'alpha two', groups: 'svip', models: 'a' });
    const found = async (query: string) =>
      (await pageOf(`/search?${query}`)).items.map(({ id }) => id).includes(one.id);
    for (const query of ['keyword=alph', 'group=vip', 'model=b', 'keyword=alpha&group=vip&model=a'])
      expect([query, await found(query)]).toEqual([query, true]);
    for (const query of ['keyword=beta', 'group=svip', 'model=c', 'keyword=alpha&group=vip&model=c'])
      expect([query, await found(query)]).toEqual([query, false]);
    expect((await pageOf('/search?group=vip')).total).toBe(1);
  });
});

it('every path works with a slash at its end and without', async () => {
  const { id } = await stage.channel(root, { baseUrl: upstream.url });
  const paths = ['', '/search', `/${id}`, '/models', '/models_enabled', `/fetch_models/${id}`, `/test/${id}`];
  const more = [`/update_balance/${id}`, `/test_upstream/${id}`, '/round', '/tag/models'];
  for (const path of [...paths, ...more])
    for (const end of ['', '/']) {
      const got = await call(`/api/channel${path}${end}`);
      expect([path + end, got.status, got.success]).toEqual([path + end, 200, true]);
    }
  for (const path of ['/fix', '/fix/']) expect((await send('POST', `/api/channel${path}`)).data).toBe(1);
  for (const path of ['/api/group', '/api/group/']) expect((await call(path)).data).toContain('default');
});

it('the models of each kind are listed, drawing and music included', async () => {
  const byType = (await call('/api/models')).data as Record<string, string[]>;
  for (const type of [2, 5])
    expect(byType[type]).toEqual(expect.arrayContaining(['mj_imagine', 'swap_face']));
  expect(byType[36]).toEqual(['suno_music', 'suno_lyrics']);
  expect(byType[14]?.every((name) => name.startsWith('claude'))).toBe(true);
  const all = (await call('/api/channel/models')).data as { id: string }[];
  expect(all).toEqual(expect.arrayContaining([{ id: 'mj_upscale' }, { id: 'suno_lyrics' }]));
});

it('a prompt longer than any channel takes is refused as such, before an upstream hears of it', async () => {
  await stage.channel(root, { baseUrl: upstream.url, maxInputTokens: 100 });
  await server.parts.stores.options.set('ModelPrice', '{"gpt-small":0}', Date.now());
  await server.parts.refreshRouting();
  const { key } = await stage.token(root);
  const chat = (content: string) =>
    stage.caller({ authorization: `Bearer sk-${key}` })('/v1/chat/completions', {
      method: 'POST',
      body: { model: 'gpt-small', max_tokens: 5, messages: [{ role: 'user', content }] },
    });
  expect((await chat('short')).status).toBe(200);
  const asked = upstream.requests.length;
  const got = await chat('a long one '.repeat(200));
  expect([got.status, JSON.parse(got.text)]).toMatchObject([
    400,
    {
      error: {
        code: 'context_length_exceeded',
        message: expect.stringMatching(/^the prompt is about \d+ tokens/),
      },
    },
  ]);
  expect(upstream.requests.length).toBe(asked);
});
