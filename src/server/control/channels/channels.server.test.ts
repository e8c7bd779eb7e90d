import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const KEY = 'sk-canary-channel-key';
const folder = temporaryFolder();
const log = keptLog();
let server: RunningServer;
let stage: Stage;
let upstream: SmallUpstream;
let root: User;
let call: Caller;
const answers: string[] = [];

beforeAll(async () => {
  upstream = await startSmallUpstream();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  const plain = stage.caller(await stage.session(root));
  call = async (path, sent) => {
    const got = await plain(path, sent);
    answers.push(got.text);
    return got;
  };
});
afterAll(async () => {
  await server.stop();
  await upstream.close();
  folder.remove();
});

const created = { type: 1, name: 'one', key: KEY, models: 'gpt-small,gpt-large', group: 'default' };
const create = (body: object) => call('/api/channel', { method: 'POST', body });
const update = (body: object) => call('/api/channel', { method: 'PUT', body });
const all = () => allChannels(server.parts.stores.channels);
const inChinese = { 'Accept-Language': 'zh' };

describe('a new channel', () => {
  it('is one channel for each line of the key', async () => {
    expect(
      (await create({ ...created, name: 'three', key: `${KEY}-a\n\n ${KEY}-b \n${KEY}-c\n${KEY}-a` }))
        .success,
    ).toBe(true);
    const found = await call('/api/channel/search?keyword=three');
    expect(found.data).toMatchObject({ total: 3, page: 1, page_size: 10 });
    const byKey = await call(`/api/channel/search?keyword=${KEY}-b`);
    expect(byKey.data).toMatchObject({ total: 1, items: [{ name: 'three-2', key: '' }] });
  });

  it('has the name that stands beside its key, where there are several, as far as there is room', async () => {
    const key = (of: string) => `alice, ${KEY}-${of}-1\n${KEY}-${of}-2\n${KEY}-${of}-3 # Bob`;
    const long = 'x'.repeat(97);
    await create({ ...created, name: 'team', key: key('team') });
    await create({ ...created, name: long, key: key('long') });
    await create({ ...created, name: 'single', key: `carol, ${KEY}-single` });
    const names = (await all()).map(({ name }) => name);
    expect(names.slice(-7)).toEqual([
      'team alice',
      'team',
      'team Bob',
      `${long} al`,
      long,
      `${long} Bo`,
      'single',
    ]);
  });

  it('has a number behind its name where others created with it would be called the same', async () => {
    const long = 'y'.repeat(99);
    const lines = (...labels: string[]) =>
      labels.map((label, at) => `${label}, ${KEY}-${long.length}-${label}-${at}`).join('\n');
    await create({ ...created, name: 'fleet', key: `${KEY}-f-1\n${KEY}-f-2\n${KEY}-f-3` });
    await create({ ...created, name: 'crew', key: lines('ann', 'ann', 'bob', 'ann-2', 'ann') });
    await create({ ...created, name: long, key: lines('cut', 'cut') });
    await create({ ...created, name: 'alone', key: `${KEY}-g-1` });
    const names = (await all()).map(({ name }) => name).slice(-11);
    expect(names.slice(0, 8).join()).toBe(
      'fleet-1,fleet-2,fleet-3,crew ann-1,crew ann-3,crew bob,crew ann-2,crew ann-4',
    );
    expect(names.slice(8)).toEqual([`${'y'.repeat(98)}-1`, `${'y'.repeat(98)}-2`, 'alone']);
  });

  it('keeps the key of a service account whole', async () => {
    const key = JSON.stringify({ type: 'service_account', private_key: `${KEY}\nline` }, null, 2);
    const before = (await all()).length;
    expect((await create({ ...created, type: 41, key })).success).toBe(true);
    expect((await all()).length).toBe(before + 1);
    expect((await create({ ...created, type: 41, key: '{ "type": ' })).message).toBe(
      'the key must be a service account JSON',
    );
  });

  it.each([
    [{ ...created, name: ' ' }, 400, '请填写渠道名称和渠道密钥！'],
    [{ ...created, key: '' }, 400, '请填写渠道名称和渠道密钥！'],
    [{ ...created, models: '' }, 400, '请至少选择一个模型！'],
    [{ ...created, model_mapping: '{"a":1}' }, 400, '模型映射必须是合法的 JSON 格式！'],
    [{ ...created, model_mapping: '{"a":"b","b":"c","c":"a"}' }, 200, '循环'],
    [{ ...created, status_code_mapping: '{"500":"200"}' }, 200, '状态码映射须为'],
    [{ ...created, type: 999 }, 200, '未知的渠道类型 999'],
    [{ ...created, base_url: 'ftp://host' }, 200, '渠道地址不可用'],
    [{ ...created, base_url: 'https://user:secret@host' }, 200, '渠道地址不可用'],
    [{ ...created, priority: -1000 }, 400, 'priority'],
  ])('is refused: %j', async (body, status, message) => {
    const before = (await all()).length;
    const got = await call('/api/channel', { method: 'POST', body, headers: inChinese });
    expect([got.status, got.success]).toEqual([status, false]);
    expect(got.message).toContain(message);
    expect((await all()).length).toBe(before);
  });

  it('serves calls the moment it is answered, and no longer once deleted', async () => {
    const prices = { key: 'ModelRatio', value: JSON.stringify({ 'quick-model': 1 }) };
    expect((await call('/api/option', { method: 'PUT', body: prices })).success).toBe(true);
    await create({ ...created, name: 'quick', models: 'quick-model' });
    expect((await call('/api/channel/models_enabled')).data).toContain('quick-model');
    expect((await call('/api/user/models')).data).toContain('quick-model');
    const row = (await all()).find(({ name }) => name === 'quick');
    await call(`/api/channel/${row?.id}/`, { method: 'DELETE' });
    expect((await call('/api/channel/models_enabled')).data).not.toContain('quick-model');
    expect((await call(`/api/channel/${row?.id}`)).message).toBe(
      'channel not found, refresh the page and try again',
    );
  });
});

describe('the key of a saved channel', () => {
  it('stays with an empty key, and only for the address it was saved with', async () => {
    const row = await stage.channel(root, { baseUrl: 'https://one.example', key: KEY });
    const stays = { id: row.id, key: '' };
    expect(
      (await update({ ...stays, name: 'renamed', base_url: 'https://one.example/v2/' })).data,
    ).toMatchObject({
      name: 'renamed',
      base_url: 'https://one.example/v2',
      key: '',
    });
    for (const edit of [
      { base_url: 'https://evil.example' },
      { base_url: 'http://one.example' },
      // Another tenant of the same host.
      { base_url: 'https://one.example/other' },
      { base_url: 'https://one.example/v1/other' },
      { base_url: 'https://one.example:8443' },
      { base_url: '' },
      { base_url: null },
      { type: 8 },
    ]) {
      const got = await update({ ...stays, ...edit });
      expect([got.success, got.message]).toEqual([
        false,
        'the key is only ever sent to https://one.example: to change the address or type, enter the key again',
      ]);
    }
    for (const edit of [{ models: 'm,a/../../other' }, { model_mapping: '{"m":".."}' }])
      expect((await update({ ...stays, ...edit })).message).toContain('it stands in the address');
    const before = (await server.parts.stores.channels.byId(row.id))?.encryptedKey;
    expect((await update({ id: row.id, base_url: 'https://two.example', key: `${KEY}-new` })).success).toBe(
      true,
    );
    const after = (await server.parts.stores.channels.byId(row.id))?.encryptedKey;
    expect(after).not.toBe(before);
  });

  it('is sealed: neither the row nor any answer nor the log has it', async () => {
    expect(JSON.stringify(await all())).not.toContain(KEY);
    expect(answers.join('\n')).not.toContain(KEY);
    expect(log.lines.join('\n')).not.toContain(KEY);
  });

  it('does not open in the row of another channel', async () => {
    const [one, two] = [await stage.channel(root), await stage.channel(root)];
    await server.parts.stores.channels.update(two.id, { encryptedKey: one.encryptedKey });
    await server.parts.refreshRouting();
    expect(server.parts.routing().channels.has(one.id)).toBe(true);
    expect(server.parts.routing().channels.has(two.id)).toBe(false);
  });
});

describe('editing', () => {
  it('changes only the sent fields, and status 3 means no change', async () => {
    const row = await stage.channel(root, { models: 'a,b', priority: 5, tag: 'blue' });
    await server.parts.stores.channels.autoDisable(row.id, 'no credit', Date.now());
    expect((await update({ id: row.id, status: 3, weight: -4 })).data).toMatchObject({
      status: 3,
      weight: 0,
      models: 'a,b',
      priority: 5,
      tag: 'blue',
    });
    const enabled = (await update({ id: row.id, status: 1 })).data;
    expect(enabled).toMatchObject({ status: 1, other_info: '', models: 'a,b' });
  });
});

it('a channel that does not read any more can still be switched off, not otherwise changed', async () => {
  const row = await stage.channel(root);
  await server.parts.stores.channels.update(row.id, { modelMapping: '{"a":"b","b":"c","c":"a"}' });
  expect((await update({ id: row.id, status: 2 })).data).toMatchObject({ status: 2 });
  expect((await update({ id: row.id, models: 'other' })).success).toBe(false);
  expect((await update({ id: row.id, model_mapping: '' })).success).toBe(true);
});

describe('asking the upstream', () => {
  it('tests a channel without charging, and keeps how long it took', async () => {
    const row = await stage.channel(root, {
      baseUrl: upstream.url,
      key: KEY,
      models: 'gpt-x',
      modelMapping: '{"gpt-x":"gpt-small"}',
    });
    const got = await call(`/api/channel/test/${row.id}?model=`);
    expect([got.success, typeof (JSON.parse(got.text) as { time: unknown }).time]).toEqual([true, 'number']);
    const sent = upstream.requests.at(-1);
    expect(sent).toMatchObject({ path: '/v1/chat/completions', authorization: `Bearer ${KEY}` });
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      model: 'gpt-small',
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect((await call(`/api/channel/${row.id}`)).data).toMatchObject({ test_time: expect.any(Number) });
    const logged = (await call('/api/log?token_name=模型测试')).data as { items: object[] };
    expect(logged.items[0]).toMatchObject({
      model_name: 'gpt-x',
      quota: 0,
      channel: row.id,
      content: '模型测试',
      prompt_tokens: 8,
    });
    expect((await server.parts.stores.users.byId(root.id))?.quotaUnits).toBe(root.quotaUnits);
  });

  it('returns the error and the duration of a failed test, and stores the duration', async () => {
    const row = await stage.channel(root, { baseUrl: 'http://127.0.0.1:9', key: KEY });
    const got = await call(`/api/channel/test/${row.id}`);
    expect([got.status, got.success, got.message.startsWith('the upstream failed: ')]).toEqual([
      200,
      false,
      true,
    ]);
    expect(JSON.parse(got.text)).toMatchObject({ time: expect.any(Number) });
    const tested = (await call(`/api/channel/${row.id}`)).data as { test_time: number };
    expect(tested.test_time).toBeGreaterThan(1_700_000_000);
    const logged = (await call('/api/log?token_name=模型测试&type=5')).data as { items: object[] };
    expect(logged.items[0]).toMatchObject({ channel: row.id, quota: 0, model_name: 'gpt-small' });
    expect(await brokenRules(server.parts.stores.database)).toEqual([]);
  });

  it('never shows or logs a key that the upstream repeats', async () => {
    const row = await stage.channel(root, { baseUrl: `${upstream.url}/echo`, key: KEY });
    const body = { base_url: `${upstream.url}/echo`, type: 1, key: KEY };
    const got = [
      await call(`/api/channel/test/${row.id}`),
      await call(`/api/channel/fetch_models/${row.id}`),
      await call('/api/channel/fetch_models', { method: 'POST', body }),
      await call('/api/log?type=5'),
    ];
    expect(got.map(({ success }) => success)).toEqual([false, false, false, true]);
    expect(got.map(({ text }) => text).join('\n')).not.toContain(KEY);
  });

  it('lists models of saved and unsaved channels, and only names that look like names', async () => {
    const row = await stage.channel(root, { baseUrl: upstream.url, key: KEY });
    const names = ['a/b:c', 'gpt-small'];
    expect((await call(`/api/channel/fetch_models/${row.id}`)).data).toEqual(names);
    const body = { base_url: `${upstream.url}/`, type: 1, key: KEY };
    expect((await call('/api/channel/fetch_models', { method: 'POST', body })).data).toEqual(names);
    const none = await call('/api/channel/fetch_models', {
      method: 'POST',
      body: { ...body, key: '' },
      headers: inChinese,
    });
    expect([none.status, none.message]).toEqual([400, '请填写密钥']);
  });

  it('lists the models of an unsaved channel with its `other`', async () => {
    const body = { base_url: upstream.url, type: 39, key: KEY };
    const ask = async (beside: object) =>
      (await call('/api/channel/fetch_models', { method: 'POST', body: { ...body, ...beside } })).message;
    expect(await ask({})).toContain('has no Cloudflare account');
    expect(await ask({ other: 'account-1' })).not.toContain('has no Cloudflare account');
  });
});
