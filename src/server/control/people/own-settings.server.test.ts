import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';
import type { Caller } from '../../http/testing/caller.ts';

/** Settings of users and admins take effect, and fields that are not sent stay as they are. */

let upstream: SmallUpstream;
let scene: Scene;
let alice: Spender;
let asAlice: Caller;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  alice = await scene.spender('alice', 10_000_000);
  asAlice = scene.stage.caller(await scene.stage.session(alice.user));
  const { stage, root } = scene;
  await stage.channel(root, { baseUrl: upstream.url, models: 'gpt-small,unpriced-model,o3-mini-high' });
  await scene.set('ModelRatio', JSON.stringify({ 'gpt-small': 0.01, 'o3-mini-high': 0.01 }));
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const put = async (caller: Caller, path: string, body: object): Promise<unknown> => {
  const got = await caller(path, { method: 'PUT', body });
  expect(got.message).toBe('');
  return got.data;
};
const settingOf = async (caller: Caller): Promise<Record<string, unknown>> => {
  const { setting } = (await caller('/api/user/self')).data as { setting: string };
  return JSON.parse(setting) as Record<string, unknown>;
};
const chat = (model: string, more: object = {}, key = alice.key): Promise<Response> =>
  fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer sk-${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...more, model, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
  });
const newestLog = async (): Promise<Record<string, unknown>> =>
  ((await asAlice('/api/log/self')).data as { items: Record<string, unknown>[] }).items[0] ?? {};

it('settings of two forms that are saved at once are both kept', async () => {
  for (let round = 0; round < 10; round += 1) {
    const language = round % 2 === 0 ? 'zh' : 'en';
    const record_ip_log = round % 3 === 0;
    const quota_warning_threshold = 1000 + round;
    await Promise.all(
      [{ language }, { record_ip_log }, { quota_warning_threshold }].map((body) =>
        put(asAlice, '/api/user/setting', body),
      ),
    );
    expect(await settingOf(asAlice)).toMatchObject({ language, record_ip_log, quota_warning_threshold });
  }
  await put(asAlice, '/api/user/setting', { record_ip_log: true, language: '' });
});

it.each([{ status: 2 }, { status: 1 }, { priority: 3 }, { weight: 4 }, { name: 'other' }, { tag: 'a' }])(
  'a channel keeps everything else when only %j is sent',
  async (change) => {
    const { stage, root, asRoot } = scene;
    const { id } = await stage.channel(root, {
      baseUrl: upstream.url,
      models: 'else',
      autoDisable: false,
      maxInputTokens: 7,
      setting: '{"idle_timeout_ms":5000}',
      paramOverride: '{"user":"x"}',
      testModel: 'else',
    });
    const before = (await asRoot(`/api/channel/${id}`)).data as Record<string, unknown>;
    await put(asRoot, '/api/channel', { id, ...change });
    const after = (await asRoot(`/api/channel/${id}`)).data;
    expect(after).toEqual({ ...before, ...change });
    expect(after).toMatchObject({ auto_ban: 0 });
  },
);

it('settings that were never saved are empty, so that a form knows them from defaults that were', async () => {
  const call = scene.stage.caller(await scene.stage.session(await scene.stage.person('untouched')));
  expect((await call('/api/user/self')).data).toMatchObject({ setting: '' });
  await put(call, '/api/user/setting', { record_ip_log: true });
  expect(await settingOf(call)).not.toHaveProperty('quota_warning_threshold');
});

it("one of a user's settings is changed, and the others stay", async () => {
  const all = {
    notify_type: 'webhook',
    quota_warning_threshold: 7,
    webhook_url: 'https://hooks.example.com/a',
    webhook_secret: 'hush',
    notification_email: 'alice@example.com',
    language: 'en',
    record_ip_log: true,
    accept_unset_model_ratio_model: false,
  };
  await put(asAlice, '/api/user/setting', all);
  const before = await settingOf(asAlice);
  expect(before).toMatchObject({ ...all, webhook_secret: '', has_webhook_secret: true });
  await put(asAlice, '/api/user/setting', before);
  expect(await settingOf(asAlice)).toEqual(before);
  for (const quota_warning_threshold of [12_500.5, 0]) {
    await put(asAlice, '/api/user/setting', { quota_warning_threshold });
    expect(await settingOf(asAlice)).toEqual({ ...before, quota_warning_threshold });
  }
  await put(asAlice, '/api/user/setting', { language: '' });
  expect(await settingOf(asAlice)).not.toHaveProperty('language');
  await put(asAlice, '/api/user/setting', { webhook_url: '', notify_type: 'email' });
  expect(await settingOf(asAlice)).toMatchObject({ webhook_url: '', has_webhook_secret: false });
});

it('a webhook is https and outside; its secret never comes back, and stays only while the address does', async () => {
  const call = scene.stage.caller(await scene.stage.session(await scene.stage.person('hooked')));
  const save = (webhook_url: string, webhook_secret = '') =>
    call('/api/user/setting', {
      method: 'PUT',
      body: { notify_type: 'webhook', quota_warning_threshold: 100_000, webhook_url, webhook_secret },
    });
  expect((await save('http://hooks.example.com')).message).toBe(
    'the webhook address must start with https://',
  );
  expect((await save('https://hooks.example.com/x', 'hush-hush')).success).toBe(true);
  const self = await call('/api/user/self');
  expect(self.text).not.toContain('hush-hush');
  const { setting } = self.data as { setting: string };
  expect(JSON.parse(setting)).toMatchObject({ notify_type: 'webhook', has_webhook_secret: true });
  // Another path is another receiver.
  expect((await save('https://hooks.example.com/y')).message).toContain('enter it again');
  expect((await call('/api/user/self')).data).toMatchObject({ setting });
  expect((await save('https://hooks.example.com/y', 'hush-again')).success).toBe(true);
});

it('the address of a call is logged for a user who never said anything of it', async () => {
  const { user, key } = await scene.spender('silent', 10_000_000);
  const call = scene.stage.caller(await scene.stage.session(user));
  const { logs } = scene.server.parts.stores;
  expect((await chat('gpt-small', {}, key)).status).toBe(200);
  await put(call, '/api/user/setting', { quota_warning_threshold: 5 });
  expect((await chat('gpt-small', {}, key)).status).toBe(200);
  const { items } = await logs.page({ userId: user.id, type: 2 }, { page: 1, pageSize: 9 });
  expect(items.map(({ ip }) => ip)).toEqual(['127.0.0.1', '127.0.0.1']);
});

it('no address is logged for users who do not want that', async () => {
  await put(asAlice, '/api/user/setting', { record_ip_log: true });
  expect((await chat('gpt-small')).status).toBe(200);
  expect((await newestLog())['ip']).toBe('127.0.0.1');
  await put(asAlice, '/api/user/setting', { record_ip_log: false });
  expect((await chat('gpt-small')).status).toBe(200);
  expect((await newestLog())['ip']).toBe('');
});

it('a model without a price is served to who accepts its price, at the ratio of self-use mode', async () => {
  await put(asAlice, '/api/user/setting', { accept_unset_model_ratio_model: false });
  expect((await chat('unpriced-model')).status).toBe(400);
  await put(asAlice, '/api/user/setting', { accept_unset_model_ratio_model: true });
  expect((await chat('unpriced-model')).status).toBe(200);
  const list = await fetch(`${scene.server.url}/v1/models`, {
    headers: { Authorization: `Bearer sk-${alice.key}` },
  });
  expect(await list.text()).toContain('unpriced-model');
  expect((await asAlice('/api/user/models')).data).toContain('unpriced-model');
  // 8 + 2 tokens.
  expect(await newestLog()).toMatchObject({ model_name: 'unpriced-model', quota: 375 });
});

it.each([
  ['the caller names', 'gpt-small', { reasoning_effort: 'low' }, 'low'],
  ['the name of the model says', 'o3-mini-high', {}, 'high'],
])('a row tells the effort that %s, and the group that pays', async (_, model, more, effort) => {
  expect((await chat(model, more)).status).toBe(200);
  const { other, group } = await newestLog();
  expect(JSON.parse(String(other))).toMatchObject({ reasoning_effort: effort, group: 'default' });
  expect(group).toBe('default');
});

it.each([
  ['nothing', {}, '未登录'],
  ['a language there is none of', { 'Accept-Language': 'fr' }, '未登录'],
  ['French, else Chinese', { 'Accept-Language': 'fr,zh' }, '未登录'],
  ['French, else English', { 'Accept-Language': 'fr-CH, en-GB;q=0.9, zh;q=0.8' }, 'not logged in'],
  ['Chinese before English', { 'Accept-Language': 'en;q=0.3,zh-TW;q=0.9' }, '未登录'],
  ['no Chinese at all', { 'Accept-Language': 'zh;q=0, en;q=0.1' }, 'not logged in'],
] as const)('asked for %s', async (_, headers, said) => {
  // Not by `fetch`, which asks for any language by itself.
  const answer = await rawGet('/api/user/self', headers);
  expect(answer).toContain(said);
});

it('without a language asked for, answers are in the language of the site', async () => {
  await scene.set('DefaultLanguage', 'en');
  expect(await rawGet('/api/user/self', { 'Accept-Language': 'fr' })).toContain('not logged in');
  expect(await rawGet('/api/no-such-call', {})).toContain('there is no such call');
  await scene.set('DefaultLanguage', 'zh');
  expect(await rawGet('/api/no-such-call', {})).toContain('没有这个接口');
});

const rawGet = (path: string, headers: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve, reject) => {
    get(`${scene.server.url}${path}`, { headers }, (reply) => void text(reply).then(resolve, reject)).on(
      'error',
      reject,
    );
  });
