import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeToken, type Operator, setOption } from '../support/operator.ts';
import { SELECT_ALL_LIMIT_MS, selectAllMs } from '../support/select-all-time.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** A user's own tokens in a real browser, in Chinese, where the specification gives the words. */

const PAST = 1_700_000_000;

let site: ConsoleSite;
let operator: Operator;
let page: Page;

beforeAll(async () => {
  site = await startConsole({ language: 'zh' });
  ({ operator, page } = site);
  // The clipboard is emptied by a page of the site.
  await page.goto('/theme.js');
  await setOption(operator, 'GroupRatio', { default: 1, vip: 1.5 });
  await operator.call('/api/channel', {
    method: 'POST',
    body: { type: 1, name: 'any', key: 'sk-any', models: 'gpt-4o,o3-mini', group: 'default,vip' },
  });
});

afterAll(async () => {
  await site.stop();
});

const tokens = z.object({
  items: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      key: z.string(),
      status: z.number(),
      expired_time: z.number(),
      remain_quota: z.number(),
      unlimited_quota: z.boolean(),
      model_limits_enabled: z.boolean(),
      model_limits: z.string(),
      allow_ips: z.string().nullable(),
      group: z.string(),
    }),
  ),
});

const saved = async () => tokens.parse(await operator.call('/api/token?page_size=100')).items;

/** Every journey starts with an empty list and an empty clipboard. */
beforeEach(async () => {
  const ids = (await saved()).map(({ id }) => id);
  if (ids.length > 0) await operator.call('/api/token/batch', { method: 'POST', body: { ids } });
  await page.evaluate(() => navigator.clipboard.writeText(''));
});

const row = (name: string): Locator => page.locator('tr[data-row]').filter({ hasText: name });
const field = (name: string): Locator => page.locator('.drawer').getByRole('textbox', { name, exact: true });
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const toast = (text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();
const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const drawerErrors = (): Promise<string[]> => page.locator('.drawer .field-error').allTextContents();
const mayCall = async (key: string): Promise<number> =>
  (await fetch(`${site.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;

test('a token is created, its key copied, used, disabled and deleted', async () => {
  await page.goto('/token');
  await page.getByRole('note').filter({ hasText: '令牌仅供个人使用' }).waitFor();
  await page.locator('.state').getByRole('button', { name: '添加令牌' }).click();
  await field('名称').fill('my app');
  await button('创建').click();
  const dialog = page.getByRole('dialog', { name: '令牌已创建' });
  await dialog.getByRole('button', { name: '复制密钥', exact: true }).click();
  await expect.poll(clipboard).toMatch(/^sk-[A-Za-z0-9]{48}$/);
  const key = await clipboard();
  expect(await mayCall(key)).toBe(200);
  expect(await saved()).toMatchObject([
    { name: 'my app', remain_quota: 500_000, expired_time: -1, unlimited_quota: false, group: '' },
  ]);
  await dialog.getByRole('button', { name: '关闭' }).click();
  // The button that opened this was part of the empty list.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');

  const masked = row('my app').locator('.token-key .copy');
  await expect.poll(() => masked.textContent()).toBe(`${key.slice(0, 6)}…${key.slice(-4)}`);
  await row('my app').getByRole('button', { name: '显示 my app 的密钥' }).click();
  await expect.poll(() => masked.textContent()).toBe(key);

  await row('my app').getByRole('switch').click();
  await expect.poll(async () => (await saved())[0]?.status).toBe(2);
  await page.locator('tr.row-muted').filter({ hasText: 'my app' }).waitFor();
  expect(await mayCall(key)).toBe(401);

  await row('my app').locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await toast('令牌已删除');
  expect(await saved()).toEqual([]);
});

test('a batch of ten tokens gets suffixes, and all their keys are copied together', async () => {
  await page.goto('/token?edit=new');
  await field('名称').fill('team');
  await page.locator('.drawer').getByRole('button', { name: '10', exact: true }).click();
  await page.locator('.drawer').getByRole('button', { name: '$10.00', exact: true }).click();
  await button('创建').click();
  const dialog = page.getByRole('dialog', { name: '已创建 10 个令牌' });
  await dialog.getByRole('button', { name: '全部复制' }).click();
  await expect
    .poll(clipboard)
    .toMatch(/^team {4}sk-[A-Za-z0-9]{48}(\nteam-[A-Za-z0-9]{6} {4}sk-[A-Za-z0-9]{48}){9}$/);
  expect(new Set((await saved()).map((token) => token.remain_quota))).toEqual(new Set([5_000_000]));
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the form refuses invalid input in the words of the specification', async () => {
  await page.goto('/token?edit=new');
  await field('过期时间').fill('2027-02-31 10:00:00');
  await field('IP 白名单').fill('203.0.113.7\n2001:db8::/32\n300.1.1.1');
  await button('创建').click();
  await expect
    .poll(drawerErrors)
    .toEqual(['请输入令牌名称！', '过期时间格式错误！', '不是 IP 地址或 CIDR 网段：300.1.1.1']);
  await field('名称').fill('careful');
  await field('过期时间').fill('2030-12-31 23:59:58');
  await field('IP 白名单').fill('203.0.113.7\n2001:db8::/32');
  const models = page.getByRole('combobox', { name: '可用模型' });
  await expect.poll(() => models.isDisabled()).toBe(true);
  await page.getByRole('switch', { name: '启用模型限制' }).click();
  await models.click();
  await page.getByRole('option', { name: 'o3-mini' }).click();
  await page.getByRole('combobox', { name: '分组' }).click();
  await page.getByRole('option', { name: /^vip.*倍率 1\.5$/ }).click();
  await page.getByRole('switch', { name: '无限额度' }).click();
  await button('创建').click();
  await page.getByRole('dialog', { name: '令牌已创建' }).waitFor();
  expect(await saved()).toMatchObject([
    {
      name: 'careful',
      expired_time: Math.floor(new Date(2030, 11, 31, 23, 59, 58).getTime() / 1000),
      unlimited_quota: true,
      model_limits_enabled: true,
      model_limits: 'o3-mini',
      allow_ips: '203.0.113.7\n2001:db8::/32',
      group: 'vip',
    },
  ]);
});

test('an edit sends only the changed fields', async () => {
  await makeToken(operator, { name: 'edited', remain_quota: 1_234_567, group: 'vip' });
  await page.goto('/token');
  await row('edited').getByRole('button', { name: '编辑' }).click();
  await field('名称').fill('renamed');
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === 'PUT'),
    page.keyboard.press('Control+s'),
  ]);
  expect(request.postDataJSON()).toEqual({
    id: expect.any(Number),
    name: 'renamed',
    was: { name: 'edited' },
  });
  await toast('令牌更新成功！');
  await row('renamed').waitFor();
});

test('what another window has saved meanwhile is told, and is replaced only by saving again', async () => {
  await makeToken(operator, { name: 'twice' });
  await page.goto('/token');
  await row('twice').getByRole('button', { name: '编辑' }).click();
  await field('名称').fill('by this window');
  const [token] = (await saved()).filter(({ name }) => name === 'twice');
  const body = { id: token?.id, name: 'by another' };
  await operator.call('/api/token', { method: 'PUT', body });
  await page.keyboard.press('Control+s');
  await page.getByText('name 刚刚被他人修改过').waitFor();
  expect((await saved()).map(({ name }) => name)).toContain('by another');
  await page.keyboard.press('Control+s');
  await toast('令牌更新成功！');
  expect((await saved()).map(({ name }) => name)).toContain('by this window');
});

test('an expired or exhausted token cannot be enabled before its expiry or quota is changed', async () => {
  await makeToken(operator, { name: 'expired', expired_time: PAST });
  await makeToken(operator, { name: 'empty', remain_quota: 0 });
  for (const { id } of await saved()) {
    const body = { id, status: 2 };
    await operator.call('/api/token?status_only=true', { method: 'PUT', body });
  }
  await page.goto('/token');
  await row('expired').getByRole('switch').click();
  await toast('令牌已过期，请先延长有效期或改为永不过期，再启用');
  await row('empty').getByRole('switch').click();
  await toast('令牌额度已用完，请先增加额度或改为无限额度，再启用');
  expect((await saved()).map(({ status }) => status)).toEqual([2, 2]);
  await expect.poll(() => row('empty').getByRole('switch').isChecked()).toBe(false);

  await row('expired').getByRole('button', { name: '编辑' }).click();
  await button('永不过期').click();
  await button('保存').click();
  await toast('令牌更新成功！');
  await row('expired').getByRole('switch').click();
  await row('expired').getByText('已启用').waitFor();
  await expect.poll(async () => (await saved()).find(({ name }) => name === 'expired')?.status).toBe(1);
});

test('selected tokens are copied as name and key; without a selection a message says so', async () => {
  const made = [await makeToken(operator, { name: 'a' }), await makeToken(operator, { name: 'b' })];
  await page.goto('/token');
  await button('复制选中的令牌').click();
  await toast('请至少选择一个令牌！');
  await page.getByRole('checkbox', { name: '全选本页' }).click();
  await button('复制选中的令牌').click();
  await expect.poll(clipboard).toBe(`b    ${made[1]?.key}\na    ${made[0]?.key}`);
  await page.getByRole('toolbar').getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await toast('已删除 2 个令牌');
  expect(await saved()).toEqual([]);
});

test('tokens are found by name and by key, and a search without results can be cleared', async () => {
  const { key } = await makeToken(operator, { name: 'needle' });
  await makeToken(operator, { name: 'hay' });
  const names = (): Promise<string[]> => page.locator('tr[data-row] .cell-title').allTextContents();
  await page.goto('/token?q=need');
  await expect.poll(names).toEqual(['needle']);
  await page.goto('/token');
  await page.getByRole('textbox', { name: '搜索密钥 sk-…' }).fill(key);
  await page.keyboard.press('Enter');
  await expect.poll(names).toEqual(['needle']);
  await expect.poll(() => new URL(page.url()).searchParams.get('key')).toBe(key.slice(3, 11));
  await page.getByRole('searchbox').fill('zzz');
  await button('清除筛选').click();
  await expect.poll(names).toEqual(['hay', 'needle']);
});

test('how to use a token is copied as a command that works', async () => {
  const { key } = await makeToken(operator, { name: 'shell', unlimited_quota: true });
  const { key: hidden } = await makeToken(operator, { name: 'script' });
  await page.goto('/token');
  await row('shell').locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: '复制为 cURL' }).click();
  await expect.poll(clipboard).toContain(`curl ${site.url}/v1/chat/completions`);
  expect(await clipboard()).toContain(`Authorization: Bearer ${key}`);
  await row('script').locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: '接入示例' }).click();
  const dialog = page.getByRole('dialog', { name: '接入示例 · script' });
  await dialog.getByRole('radio', { name: 'Python' }).check();
  await dialog.getByText(`base_url="${site.url}/v1"`).waitFor();
  // The key is masked on the screen, but complete in what is copied.
  expect(await dialog.textContent()).not.toContain(hidden);
  await dialog.getByRole('button', { name: '复制示例' }).click();
  await expect.poll(clipboard).toContain(`api_key="${hidden}"`);
  await dialog.getByRole('button', { name: '显示密钥' }).click();
  await dialog.getByText(`api_key="${hidden}"`).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('with a hundred tokens, selecting all is fast, and all are disabled in one step', async () => {
  await operator.call('/api/token/many', { method: 'POST', body: { name: 'many', count: 100 } });
  await page.evaluate(() => localStorage.setItem('page-size', '100'));
  await page.goto('/token');
  await page.locator('tr[data-row]').nth(99).waitFor();
  expect(await selectAllMs(page)).toBeLessThan(SELECT_ALL_LIMIT_MS);
  await page.getByRole('toolbar').getByRole('button', { name: '禁用' }).click();
  await toast('已禁用 100 个令牌');
  expect(new Set((await saved()).map(({ status }) => status))).toEqual(new Set([2]));
  await page.evaluate(() => localStorage.removeItem('page-size'));
});

test('the page has no accessibility problems on a phone, in the dark theme and in English', async () => {
  await makeToken(operator, { name: 'one', group: 'vip', allow_ips: '::1' });
  const phone = await site.open({ theme: 'dark', isPhone: true });
  await phone.page.goto('/token');
  await phone.page.locator('.card').getByText('one', { exact: true }).waitFor();
  expect(await accessibilityProblems(phone.page)).toEqual([]);
  await phone.page.locator('.card').getByRole('button', { name: 'Edit one' }).click();
  await phone.page.locator('.drawer .token-models').waitFor();
  expect(await accessibilityProblems(phone.page)).toEqual([]);
  expect(await widerThanPlace(phone.page)).toEqual([]);
  expect(phone.problems).toEqual([]);
  await phone.close();
  await page.goto('/token');
  await row('one').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(site.visit.problems).toEqual([]);
});
