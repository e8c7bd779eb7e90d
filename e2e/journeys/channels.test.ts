import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeToken, type Operator, setOption } from '../support/operator.ts';
import { SELECT_ALL_LIMIT_MS, selectAllMs } from '../support/select-all-time.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { scrolledSideways, widerThanPlace } from '../support/sideways.ts';

/** Channels in a real browser, in Chinese, where the specification gives the words; the upstream is the simulator. */

const BROKEN = 'fault-status-500';

let simulator: RunningSimulator;
let site: ConsoleSite;
let operator: Operator;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole({ language: 'zh' });
  ({ operator, page } = site);
});

afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const channels = z.object({
  items: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      status: z.number(),
      priority: z.number(),
      base_url: z.string(),
      models: z.string(),
      tag: z.string().nullable(),
      pool: z.object({ mode: z.string(), keys: z.number(), left: z.number() }).optional(),
    }),
  ),
});

const saved = async () =>
  channels.parse(await operator.call('/api/channel?page_size=100&id_sort=true')).items;

const make = (name: string, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
  operator.call('/api/channel', {
    method: 'POST',
    body: { type: 1, name, key: 'sk-simulated', base_url: simulator.url, models: 'gpt-4o', ...more },
  });

/** Every journey starts with an empty list. */
beforeEach(async () => {
  const ids = (await saved()).map(({ id }) => id);
  if (ids.length > 0) await operator.call('/api/channel/batch', { method: 'POST', body: { ids } });
});

const row = (name: string): Locator => page.locator('tr[data-row]').filter({ hasText: name });
const field = (name: string): Locator => page.locator('.drawer').getByRole('textbox', { name, exact: true });
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const toast = (text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();
const openMenu = (name: string): Promise<void> => row(name).locator('[aria-haspopup=menu]').click();
const drawerErrors = (): Promise<string[]> => page.locator('.drawer .field-error').allTextContents();

test('an empty list shows what to do, and an incomplete channel shows what is missing', async () => {
  await page.goto('/channel');
  await page.locator('.state').getByRole('button', { name: '添加渠道' }).click();
  await button('提交').click();
  await expect
    .poll(drawerErrors)
    .toEqual(['请填写渠道名称和渠道密钥！', '请填写渠道名称和渠道密钥！', '请至少选择一个模型！']);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('a channel gets its models from its upstream, is created, tested, edited in its row and deleted', async () => {
  await page.goto('/channel?edit=new');
  await field('名称').fill('first');
  await field('代理地址').fill(`${simulator.url}/`);
  await button('获取模型列表').click();
  await toast('请填写密钥');
  await field('密钥').fill('sk-simulated');
  await button('获取模型列表').click();
  await page.locator('.models-field .taken-name').filter({ hasText: 'o3-mini' }).waitFor();
  // The field grows with its chips, up to 190 px: none is cut.
  const chips = page.locator('.models-field .names');
  const cut = await chips.evaluate((box) => Math.min(box.scrollHeight, 188) - box.clientHeight);
  expect(cut).toBeLessThanOrEqual(2);
  await field('自定义模型名称').fill('o3-mini,our-own');
  await button('填入').click();
  await page.getByText('某些模型已存在！').waitFor();
  await button('提交').click();
  await toast('渠道创建成功！');
  const [made] = await saved();
  expect(made).toMatchObject({ name: 'first', base_url: simulator.url, status: 1 });
  expect(made?.models.split(',')).toEqual(expect.arrayContaining(['gpt-4o', 'o3-mini', 'our-own']));

  await row('first').getByRole('button', { name: '测试 first' }).click();
  await toast('渠道 first 测试成功');
  await row('first').locator('.channel-response .cell-meta').waitFor();

  const priority = row('first').getByRole('textbox', { name: 'first 的优先级' });
  await priority.fill('7');
  await priority.press('Enter');
  await expect.poll(async () => (await saved())[0]?.priority).toBe(7);

  await row('first').getByRole('switch').click();
  await row('first').getByText('已禁用').waitFor();
  await expect.poll(async () => (await saved())[0]?.status).toBe(2);
  await openMenu('first');
  await page.getByRole('menuitem', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await toast('渠道已删除');
  expect(await saved()).toEqual([]);
});

test('an edit in the row that the server refuses is undone', async () => {
  await make('gone soon');
  await page.goto('/channel');
  await row('gone soon').waitFor();
  const [channel] = await saved();
  await operator.call(`/api/channel/${channel?.id}`, { method: 'DELETE' });
  const weight = row('gone soon').getByRole('textbox', { name: 'gone soon 的权重' });
  await weight.fill('9');
  await weight.press('Enter');
  await toast('渠道未找到，请刷新页面后重试。');
  const values = () => weight.evaluateAll((all: HTMLInputElement[]) => all.map(({ value }) => value));
  await expect.poll(values).not.toContain('9');
});

test('several keys create one channel each, told apart by their names, and a copy has the key of the original', async () => {
  await page.goto('/channel?edit=new');
  await field('名称').fill('pool');
  await field('密钥').fill('sk-one\nsk-two\nsk-three');
  await page.getByText('将创建 3 个渠道，名称后加上密钥旁的标签，没有标签则加 -1、-2…').waitFor();
  await button('填入相关模型').click();
  await page.locator('.models-field .taken-name').first().waitFor();
  await button('提交').click();
  await toast('已创建 3 个渠道');
  await row('pool-1').waitFor();
  expect((await saved()).map(({ name }) => name).toSorted()).toEqual(['pool-1', 'pool-2', 'pool-3']);

  await openMenu('pool-2');
  await page.getByRole('menuitem', { name: '复制渠道', exact: true }).click();
  await toast('渠道复制成功');
  await page.locator('.toaster').getByRole('button', { name: '编辑' }).click();
  await expect.poll(() => field('名称').inputValue()).toBe('pool-2_复制');
});

test('several keys create one channel with a pool if that is chosen', async () => {
  await page.goto('/channel?edit=new');
  await field('名称').fill('one of three');
  await field('密钥').fill('sk-simulated-one\nsk-simulated-two\nsk-simulated-three');
  await page.getByText('将创建 3 个渠道').waitFor();
  await page.getByRole('switch', { name: '所有密钥放入一个渠道' }).click();
  await page.getByText('将创建 1 个渠道，含 3 个密钥').waitFor();
  await button('填入相关模型').click();
  await page.locator('.models-field .taken-name').first().waitFor();
  await button('提交').click();
  await toast('渠道创建成功');
  await row('one of three').waitFor();
  const made = (await saved()).filter(({ name }) => name === 'one of three');
  expect(made).toMatchObject([{ pool: { mode: 'in_turn', keys: 3, left: 3 } }]);
});

test('a saved key stays with its host: another address asks for it again', async () => {
  await make('at home');
  await page.goto('/channel');
  await row('at home').getByRole('button', { name: '编辑' }).click();
  await field('代理地址').fill('http://127.0.0.1:9');
  await page.locator('.drawer').getByText('请重新填写密钥').waitFor();
  await button('保存').click();
  await expect.poll(drawerErrors).toHaveLength(1);
  await field('代理地址').fill(`${simulator.url}/v1x/`);
  await field('标签').fill('moved');
  await button('保存').click();
  await toast('渠道更新成功！');
  expect(await saved()).toMatchObject([{ base_url: `${simulator.url}/v1x`, tag: 'moved' }]);
});

test('invalid JSON is reported at its field, and the folded section opens', async () => {
  await make('mapped');
  await page.goto('/channel');
  await row('mapped').getByRole('button', { name: '编辑' }).click();
  const fold = page.locator('.drawer').getByRole('button', { name: /^高级设置/ });
  await fold.click();
  await page.locator('.drawer .pairs').first().getByRole('button', { name: '编辑 JSON' }).click();
  const editor = page.locator('.drawer .cm-content').first();
  await editor.fill('{"gpt-4o": 1}');
  await fold.click();
  await button('保存').click();
  await page.getByText('模型映射必须是合法的 JSON 格式！').waitFor();
  await editor.fill('{"gpt-4o": "o3-mini"}');
  await button('保存').click();
  await toast('渠道更新成功！');
  await row('mapped').locator('.row-fold').click();
  const renamed = row('mapped').locator('+ tr').getByText('→');
  await expect.poll(() => renamed.textContent()).toBe('gpt-4o → o3-mini');
});

test('the list is filtered by name, model, group and status, and the address keeps the filters', async () => {
  await make('alpha', { models: 'gpt-4o,o3-mini' });
  await make('beta', { group: 'vip' });
  await make('gamma', { status: 2 });
  const names = (): Promise<string[]> => page.locator('tr[data-row] .cell-title').allTextContents();
  for (const [address, expected] of [
    ['/channel?q=alp', ['alpha']],
    ['/channel?model=o3-mini', ['alpha']],
    ['/channel?group=vip', ['beta']],
    ['/channel?status=disabled', ['gamma']],
    ['/channel?status=enabled', ['beta', 'alpha']],
  ] as const) {
    await page.goto(address);
    await expect.poll(names).toEqual(expected);
  }
  await page.goto('/channel');
  await page.getByRole('searchbox').fill('zzz');
  await button('清除筛选').click();
  await row('beta').waitFor();
  await expect.poll(() => names()).toEqual(['gamma', 'beta', 'alpha']);
});

test('each model of a channel is tested, and failures show the reason', async () => {
  await make('two models', { models: `gpt-4o,${BROKEN}` });
  await page.goto('/channel');
  await openMenu('two models');
  await page.getByRole('menuitem', { name: '选择模型测试' }).click();
  const dialog = page.getByRole('dialog', { name: '测试 two models' });
  await dialog.getByRole('button', { name: '测试全部' }).click();
  await dialog.getByText('成功 1 个，失败 1 个').waitFor();
  expect(await dialog.locator('.test-failed').textContent()).toMatch(/^fault-status-500上游出错：/);
  const tile = await dialog.locator('.test-tile').first().boundingBox();
  expect(tile?.width).toBeGreaterThanOrEqual(180);
  await dialog.getByRole('button', { name: `查看 ${BROKEN} 的实际请求与响应` }).click();
  const shown = dialog.getByRole('region', { name: `实际请求与响应 · ${BROKEN}` });
  await expect.poll(() => shown.getByLabel('已发送').textContent()).toContain(`"model": "${BROKEN}"`);
  await expect.poll(() => shown.getByLabel('已收到').textContent()).toMatch(/^HTTP 500\n/);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await widerThanPlace(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('an automatically disabled channel shows why and when, and is enabled again with its switch', async () => {
  await setOption(operator, 'AutomaticDisableChannelEnabled', true);
  await setOption(operator, 'ModelRatio', { 'fault-status-401': 1 });
  await make('refused', { models: 'fault-status-401' });
  const { key } = await makeToken(operator);
  await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fault-status-401', messages: [{ role: 'user', content: 'hi' }] }),
  });
  await expect.poll(async () => (await saved())[0]?.status).toBe(3);
  await page.goto('/channel');
  const stopped = row('refused').getByText('自动禁用');
  expect(await stopped.getAttribute('data-tip')).toMatch(
    /^自动禁用：.*401.*（\d{4}-\d\d-\d\d \d\d:\d\d:\d\d）$/,
  );
  const counted = page.getByRole('link', { name: '1 个渠道已被自动禁用' });
  await counted.waitFor();
  await row('refused').getByRole('switch').click();
  await row('refused').getByText('已启用').waitFor();
  await expect.poll(async () => (await saved())[0]?.status).toBe(1);
  await counted.waitFor({ state: 'detached' });
});

test('with a hundred channels, selecting all is fast, and all are disabled in one step', async () => {
  await make('row', { key: Array.from({ length: 100 }, (_, at) => `sk-${at}`).join('\n') });
  await page.evaluate(() => localStorage.setItem('page-size', '100'));
  await page.goto('/channel');
  await page.locator('tr[data-row]').nth(99).waitFor();
  expect(await selectAllMs(page)).toBeLessThan(SELECT_ALL_LIMIT_MS);
  await page.getByRole('toolbar').getByRole('button', { name: '禁用' }).click();
  await toast('已禁用 100 个渠道');
  expect(new Set((await saved()).map(({ status }) => status))).toEqual(new Set([2]));
  await page.evaluate(() => localStorage.removeItem('page-size'));
});

test('the page has no accessibility problems on a phone, in the dark theme and in English', async () => {
  await make('one', { group: 'default,vip,svip', tag: 'bulk '.repeat(19).trim() });
  const phone = await site.open({ theme: 'dark', isPhone: true });
  await phone.page.goto('/channel');
  await phone.page.locator('.card').getByText('one').waitFor();
  expect(await accessibilityProblems(phone.page)).toEqual([]);
  await phone.page.locator('.card').getByRole('button', { name: 'Edit one' }).click();
  await phone.page.locator('.drawer .models-field').waitFor();
  expect(await accessibilityProblems(phone.page)).toEqual([]);
  expect(await widerThanPlace(phone.page)).toEqual([]);
  expect(phone.problems).toEqual([]);
  await phone.close();
  await page.goto('/channel');
  await row('one').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await scrolledSideways(page)).toEqual([]);
  expect(site.visit.problems).toEqual([]);
});
