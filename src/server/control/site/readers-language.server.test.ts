import { afterAll, beforeAll, expect, it } from 'vitest';
import { logType, role } from '#contract/codes.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { PASSWORD, type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const folder = temporaryFolder();
let server: RunningServer;
let stage: Stage;
let root: Caller;

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = stage.caller(await stage.session(await stage.person('root', role.root)));
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const items = async <Item>(caller: Caller, path: string, language: string): Promise<Item[]> =>
  ((await caller(path, { headers: { 'Accept-Language': language } })).data as { items: Item[] }).items;
const contents = async (caller: Caller, path: string, language: string): Promise<string[]> =>
  (await items<{ content: string }>(caller, path, language)).map(({ content }) => content);
const done = async (caller: Caller, method: string, path: string, body: unknown): Promise<void> =>
  expect((await caller(path, { method, body })).message).toBe('');

it('rows about what admins did are read in Chinese and in English, whoever wrote them', async () => {
  const someone = await stage.person('someone');
  await done(root, 'PUT', '/api/option/', { key: 'RetryTimes', value: '2' });
  await stage.channel(await stage.person('keeper', role.admin), { name: 'north' });
  await done(root, 'POST', '/api/user/manage', { id: someone.id, action: 'disable' });
  await done(root, 'POST', '/api/user/manage', { id: someone.id, action: 'add_quota', value: 70 });
  await done(root, 'PUT', '/api/user/', { id: someone.id, username: 'someone', quota: 20 });
  await done(root, 'POST', '/api/redemption/', { name: 'spring', quota: 5, count: 2 });
  expect((await contents(root, '/api/log?type=3', 'zh')).toReversed()).toEqual([
    '修改选项 RetryTimes',
    '创建渠道 1：north',
    `禁用用户 someone（${someone.id}）`,
    '管理员 root 修改额度：变动 70',
    '管理员 root 修改额度：由 70 改为 20',
    '生成 2 个兑换码“spring”，每个额度 5',
  ]);
  expect((await contents(root, '/api/log?type=3', 'en')).toReversed()).toEqual([
    'changed option RetryTimes',
    'created channel 1: north',
    `disabled user someone (${someone.id})`,
    'quota changed by root: by 70 units',
    'quota changed by root: from 70 to 20 units',
    'made 2 redemption codes "spring" of 5 units each',
  ]);
});

it("a wallet's history and its log rows are in the reader's language, earnings named as earnings", async () => {
  const host = await stage.person('host');
  const call = stage.caller(await stage.session(host));
  for (const [key, value] of [
    ['QuotaForInviter', '500000'],
    ['QuotaForNewUser', '300'],
  ])
    await done(root, 'PUT', '/api/option/', { key, value });
  const guest = { username: 'guest', password: PASSWORD, aff_code: host.affCode };
  await done(stage.caller(), 'POST', '/api/user/register', guest);
  await done(call, 'POST', '/api/user/aff_transfer', { quota: 500_000 });
  expect(
    (
      await call('/api/user/topup', {
        method: 'POST',
        body: { key: await stage.code(await stage.person('maker'), 7) },
      })
    ).data,
  ).toBe(7);

  const history = await items(call, '/api/user/topup/history', 'zh-CN');
  const guestId = (await server.parts.stores.users.byLogin('guest'))?.id;
  expect(history).toMatchObject([
    { kind: 'redeem', quota: 7, earned: 0, balance: 500_007, reason: 'a code' },
    { kind: 'transfer', quota: 500_000, earned: -500_000, balance: 500_000, reason: '邀请收益划转到余额' },
    { kind: 'invite', quota: 0, earned: 500_000, balance: 0, reason: `邀请用户 ${guestId} 获得收益` },
  ]);
  expect(await items(call, '/api/user/topup/history', 'en')).toMatchObject([
    { reason: 'a code' },
    { reason: 'invite earnings transferred to the balance' },
    { reason: `earnings for inviting user ${guestId}` },
  ]);
  expect(await contents(call, '/api/log/self', 'zh')).toEqual([
    expect.stringMatching(/^兑换码充值：兑换码 \d+（a code）$/),
    '邀请收益划转到余额',
    `邀请用户 ${guestId} 获得收益`,
  ]);
  expect(await contents(root, '/api/log?username=guest', 'zh')).toEqual(['新用户注册赠送额度']);
});

it('what a charge was made of is said too; older rows and the words of upstreams stay as they are', async () => {
  const reader = await stage.person('reader');
  const call = stage.caller(await stage.session(reader));
  const add = (type: number, content: string, other = '') =>
    server.parts.stores.logs.append({
      createdAtMs: Date.now(),
      type,
      userId: reader.id,
      username: 'reader',
      content,
      other,
    });
  await add(logType.system, 'quota for a new user');
  await add(logType.error, '{"say":"user_banned","values":{}}');
  await add(
    logType.consume,
    'model ratio 2',
    '{"model_ratio":2,"completion_ratio":4,"model_price":-1,"group_ratio":0.5}',
  );
  await add(logType.consume, '', '{"model_ratio":0,"completion_ratio":0,"model_price":0.1,"group_ratio":1}');
  await add(logType.consume, 'IMAGINE, mj_imagine', '{"task_id":"1"}');
  expect((await contents(call, '/api/log/self', 'zh')).toReversed()).toEqual([
    'quota for a new user',
    '{"say":"user_banned","values":{}}',
    '模型倍率 2，补全倍率 4，分组倍率 0.5',
    '模型价格 0.1，分组倍率 1',
    'IMAGINE, mj_imagine',
  ]);
  expect((await contents(call, '/api/log/self', 'en'))[2]).toBe(
    'model ratio 2, completion ratio 4, group ratio 0.5',
  );
});

it('every list takes any page and size for a page', async () => {
  const lists = endpoints.filter(
    ({ query }) => 'page_size' in ((query as { shape?: object } | undefined)?.shape ?? {}),
  );
  expect(lists.length).toBeGreaterThan(12);
  const { id } = await stage.channel(await stage.person('second keeper', role.admin), { name: 'south' });
  for (const { path: pattern, method } of lists) {
    // The only lists of one thing are those of a channel.
    const path = pattern.replace('/channel/:id/', `/channel/${id}/`);
    expect(method).toBe('GET');
    for (const query of [
      'p=-1',
      'p=0',
      'p=x',
      'p=',
      'page_size=0',
      'page_size=-1',
      'page_size=all',
      'size=',
      'ps=0',
    ])
      expect([path, query, (await root(`${path}?${query}`)).data]).toMatchObject([
        path,
        query,
        { page: 1, page_size: 10 },
      ]);
    expect((await root(`${path}?p=1&page_size=5000`)).data).toMatchObject({ page: 1, page_size: 100 });
    expect((await root(`${path}?p=2&ps=20`)).data).toMatchObject({ page: 2, page_size: 20 });
  }
});
