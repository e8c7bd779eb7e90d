import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import type { Caller } from './testing/caller.ts';
import { PASSWORD, type Stage, setStage } from './testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './testing/test-config.ts';

/**
 * The fields that scripts for gateways of this family use exist under their names. Source: specification, entities and
 * calls.
 */

const folder = temporaryFolder();
let server: RunningServer;
let stage: Stage;
let root: Caller;
let anybody: Caller;

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = stage.caller(await stage.session(await stage.person('root', role.root)));
  anybody = stage.caller();
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const STATUS = [
  'system_name, logo, footer_html, quota_per_unit, display_in_currency, enable_drawing, enable_task',
  'enable_data_export, chats, pay_methods, data_export_default_time, default_collapse_sidebar, mj_notify_enabled',
  'chat_link, chat_link2, version, start_time, email_verification, turnstile_check, turnstile_site_key',
  'github_oauth, github_client_id, linuxdo_oauth, linuxdo_client_id, wechat_login, wechat_qrcode, telegram_oauth',
  'telegram_bot_name, default_use_auto_group, self_use_mode_enabled, demo_site_enabled',
]
  .join(', ')
  .split(', ');

const USER = [
  'id, username, display_name, email, github_id, wechat_id, telegram_id, linux_do_id, quota, used_quota',
  'request_count, group, role, status, inviter_id, aff_count, aff_quota, aff_history_quota, setting',
]
  .join(', ')
  .split(', ');

const missing = (names: readonly string[], from: unknown): string[] =>
  names.filter((name) => !Object.hasOwn(from as object, name));

it('the status of the site', async () => {
  expect(missing(STATUS, (await anybody('/api/status')).data)).toEqual([]);
});

it('an account, as an admin lists it and as its owner reads it, never with its password', async () => {
  const user = await stage.person('grace');
  const list = await root('/api/user/?p=1&page_size=10');
  const { items } = list.data as { items: readonly { username: string }[] };
  const listed = items.find(({ username }) => username === 'grace');
  expect(missing([...USER, 'DeletedAt'], listed)).toEqual([]);
  const self = await stage.caller(await stage.session(user))('/api/user/self');
  expect(missing(USER, self.data)).toEqual([]);
  expect(missing(['password'], listed)).toEqual(['password']);
  expect(missing(['password'], self.data)).toEqual(['password']);
});

it('an account that was read can be sent back whole, changed', async () => {
  const { id } = await stage.person('edited');
  const read = (await root(`/api/user/${id}`)).data as object;
  const sent = { ...read, password: '', display_name: 'Edited', group: 'vip', quota: 700 };
  const saved = await root('/api/user/', { method: 'PUT', body: sent });
  expect([saved.message, saved.data]).toEqual([
    '',
    expect.objectContaining({ display_name: 'Edited', group: 'vip', quota: 700 }),
  ]);
});

it('so can one’s own account, a channel of a list and a copy of it', async () => {
  const owner = stage.caller(await stage.session(await stage.person('owner')));
  const self = (await owner('/api/user/self')).data as object;
  const renamed = await owner('/api/user/self', { method: 'PUT', body: { ...self, display_name: 'Owner' } });
  expect([renamed.message, (await owner('/api/user/self')).data]).toEqual([
    '',
    { ...self, display_name: 'Owner' },
  ]);

  const made = { type: 1, name: 'listed', key: 'sk-1', models: 'gpt-4o', base_url: 'https://a.example' };
  await root('/api/channel/', { method: 'POST', body: made });
  const list = async () =>
    ((await root('/api/channel/?id_sort=true')).data as { items: readonly { id: number; share?: number }[] })
      .items;
  const [row] = await list();
  expect(row?.share).toBe(1);
  const saved = await root('/api/channel/', { method: 'PUT', body: { ...row, priority: 3 } });
  expect([saved.message, saved.data]).toEqual(['', expect.objectContaining({ name: 'listed', priority: 3 })]);
  const { id: _, ...copy } = row ?? { id: 0 };
  const copied = await root('/api/channel/', {
    method: 'POST',
    body: { ...copy, name: 'listed_copy', key: 'sk-2' },
  });
  expect([copied.message, (await list()).length]).toEqual(['', 2]);
});

it('unset fields of a new channel, token and code have the values of the specification', async () => {
  const first = async (path: string, body: object): Promise<unknown> => {
    const made = await root(path, { method: 'POST', body });
    expect(made.message).toBe('');
    return ((await root(`${path}?id_sort=true`)).data as { items: readonly unknown[] }).items[0];
  };
  const channel = { name: 'bare', key: 'sk-1', models: 'gpt-4o' };
  expect(await first('/api/channel/', channel)).toMatchObject({
    type: 1,
    group: 'default',
    auto_ban: 1,
    priority: 0,
    weight: 0,
  });
  expect(await first('/api/token/', { name: 'bare' })).toMatchObject({
    remain_quota: 500_000,
    expired_time: -1,
    unlimited_quota: false,
  });
  expect(await first('/api/redemption/', { name: 'bare' })).toMatchObject({ quota: 100_000, status: 1 });
});

it('managing an account answers its new status and role', async () => {
  const { id } = await stage.person('managed');
  const manage = async (action: string) =>
    (await root('/api/user/manage', { method: 'POST', body: { id, action } })).data;
  expect(await manage('disable')).toMatchObject({ status: 2, role: 1 });
  expect(await manage('enable')).toMatchObject({ status: 1, role: 1 });
  expect(await manage('promote')).toMatchObject({ status: 1, role: 10 });
  expect(await manage('demote')).toMatchObject({ status: 1, role: 1 });
});

it('registering takes the password twice, a code and an invite code, and says in Chinese what is wrong', async () => {
  const register = async (more: object) =>
    (
      await anybody('/api/user/register?turnstile=', {
        method: 'POST',
        body: {
          username: 'newcomer',
          password: PASSWORD,
          password2: PASSWORD,
          email: '',
          verification_code: '',
          aff_code: '',
          ...more,
        },
        headers: { 'Accept-Language': 'zh' },
      })
    ).message;
  expect(await register({ password2: 'another password' })).toBe('两次输入的密码不一致');
  expect(await register({ password: 'seven77', password2: 'seven77' })).toBe('密码长度不得小于 8 位！');
  expect(await register({ password: 'eight888', password2: 'eight888' })).toBe('');
});

it('groups are names, models are names by channel type, options are texts by key', async () => {
  expect((await root('/api/group/')).data).toEqual(['default', 'svip', 'vip']);
  expect((await root('/api/models')).data).toMatchObject({ 1: expect.arrayContaining(['gpt-4o']) });
  const options = (await root('/api/option/')).data as readonly object[];
  expect(options).toContainEqual({ key: 'QuotaPerUnit', value: '500000' });
  expect(options).toContainEqual({ key: 'DisplayInCurrencyEnabled', value: 'true' });
});

it('the numbers an operator has not changed are those of the specification', async () => {
  const rows = (await root('/api/option/')).data as readonly { key: string; value: string }[];
  const options = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  expect(options).toMatchObject({
    QuotaPerUnit: '500000',
    USDExchangeRate: '7.3',
    Price: '7.3',
    MinTopUp: '1',
    DataExportInterval: '5',
    DataExportDefaultTime: 'hour',
    SMTPPort: '587',
  });
  for (const [key, tooSmall] of [
    ['DataExportInterval', '0'],
    ['MinTopUp', '0'],
    ['RetryTimes', '-1'],
    ['QuotaForNewUser', '-1'],
    ['PreConsumedQuota', '-1'],
    ['Price', '-1'],
  ] as const) {
    const got = await root('/api/option/', { method: 'PUT', body: { key, value: tooSmall } });
    expect([key, got.status, got.success]).toEqual([key, 400, false]);
  }
});
