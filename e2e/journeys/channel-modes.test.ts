import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { channelTypes } from '../../src/contract/channel-types.ts';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import type { Operator } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** Display options of the channel list, fields of the form by type, and error messages. */

let simulator: RunningSimulator;
let site: ConsoleSite;
let operator: Operator;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole({ language: 'zh' });
  ({ operator, page } = site);
  await make('important', { priority: 5, models: 'a,b,c,d,e' });
  await make('newest');
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const make = (name: string, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
  operator.call('/api/channel', {
    method: 'POST',
    body: { type: 1, name, key: 'sk-simulated', base_url: simulator.url, models: 'a', ...more },
  });
const list = z.object({
  items: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      tag: z.string().nullable(),
      priority: z.number(),
      weight: z.number(),
      status: z.number(),
    }),
  ),
});
const saved = async () => list.parse(await operator.call('/api/channel?id_sort=true&page_size=100')).items;
const names = (): Promise<string[]> => page.locator('tr[data-row] .cell-title').allTextContents();
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const boxes = (): Promise<number> => page.locator('tbody').getByRole('checkbox').count();
const stored = (key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key);
const toast = (text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();

/** Where each column begins. */
const columns = (): Promise<number[]> =>
  page.locator('thead th').evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().left));

test('sorting by id is stored as id-sort, and the batch mode under its own key', async () => {
  await page.goto('/channel');
  await expect.poll(names).toEqual(['important', 'newest']);
  await button('按 ID 排序').click();
  await expect.poll(names).toEqual(['newest', 'important']);
  expect(await stored('id-sort')).toBe('true');
  await expect.poll(boxes).toBe(2);
  await page.locator('tbody').getByRole('checkbox').first().check();
  const before = await columns();
  await button('批量操作').click();
  await expect.poll(boxes).toBe(0);
  // The boxes keep their room, and what was chosen is no longer.
  expect(await columns()).toEqual(before);
  expect(await page.locator('.row-chosen, .batch-bar').count()).toBe(0);
  await page.reload();
  await expect.poll(names).toEqual(['newest', 'important']);
  expect(await boxes()).toBe(0);
  await button('批量操作').click();
  await expect.poll(boxes).toBe(2);
  await button('按 ID 排序').click();
  await expect.poll(names).toEqual(['important', 'newest']);
});

test('a remark is edited in the row and saved; grouped by tag, channels without a tag are listed below', async () => {
  await page.goto('/channel');
  await page.locator('tr[data-row]', { hasText: 'newest' }).locator('.row-fold').click();
  const remark = page.getByRole('textbox', { name: 'newest 的备注' });
  await remark.fill('五月续费');
  await remark.press('Enter');
  await page.getByRole('img', { name: '五月续费' }).waitFor();
  const remarks = z.object({ items: z.array(z.object({ name: z.string(), remark: z.string() })) });
  await expect
    .poll(async () => remarks.parse(await operator.call('/api/channel?id_sort=true')).items)
    .toEqual([
      { name: 'newest', remark: '五月续费' },
      { name: 'important', remark: '' },
    ]);
  await page.goto('/channel');
  await button('标签聚合模式').click();
  await page.getByRole('button', { name: '无标签（2）' }).click();
  await page.getByRole('table', { name: '无标签（2）' }).getByText('newest', { exact: true }).waitFor();
  await button('标签聚合模式').click();
  await expect.poll(names).toEqual(['important', 'newest']);
});

test('the models of a test stand in columns of at least 180 px', async () => {
  await page.goto('/channel');
  await page.locator('tr[data-row]').filter({ hasText: 'important' }).locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: '选择模型测试' }).click();
  const grid = page.locator('.test-grid');
  await grid.waitFor();
  // Two columns of 180 px and the gap of 10 px between them.
  const columnsAt = (widthPx: number) =>
    grid.evaluate((element, width) => {
      (element as HTMLElement).style.width = `${width}px`;
      return getComputedStyle(element).gridTemplateColumns.split(' ').length;
    }, widthPx);
  expect([await columnsAt(370), await columnsAt(369)]).toEqual([2, 1]);
});

test('each type shows the format of its key, its further fields, and an icon', async () => {
  await page.goto('/channel?edit=new');
  const drawer = page.locator('.drawer');
  const type = drawer.getByRole('combobox', { name: '类型' });
  for (const [label, hint, other, value] of [
    ['iFlytek', '格式：APPID|APISecret|APIKey', 'API 版本', 'v2.1'],
    ['Vertex AI', '服务账号 JSON，整段粘贴', '部署地区', ''],
    ['AWS Claude', '格式：Ak|Sk|Region', undefined, undefined],
    ['Cloudflare', '每行一个密钥', '账户 ID', ''],
  ] as const) {
    await type.fill(label);
    await page.getByRole('option', { name: label, exact: true }).click();
    await drawer.getByText(hint).first().waitFor();
    if (other === undefined) continue;
    const field = drawer.getByRole('textbox', { name: other, exact: true });
    await expect.poll(() => field.inputValue()).toBe(value);
  }
  const icons = new Set(channelTypes.map(({ icon }) => icon).filter((icon) => icon !== 'custom'));
  for (const icon of icons) {
    const answer = await fetch(`${site.url}/icons/${icon}.svg`);
    expect([icon, answer.headers.get('content-type')]).toEqual([icon, expect.stringMatching(/^image\/svg/)]);
    expect(await answer.text()).toContain('<svg');
  }
});

test('a form that is submitted twice creates one channel', async () => {
  await page.goto('/channel?edit=new');
  const drawer = page.locator('.drawer');
  await drawer.getByRole('textbox', { name: '名称', exact: true }).fill('once');
  await drawer.getByRole('textbox', { name: '密钥', exact: true }).fill('sk-one');
  await drawer.getByRole('textbox', { name: '自定义模型名称' }).fill('own');
  await button('填入').click();
  await page.locator('form.drawer').evaluate((form) => {
    (form as HTMLFormElement).requestSubmit();
    (form as HTMLFormElement).requestSubmit();
  });
  await toast('提交失败，请勿重复提交！');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(async () => (await saved()).map(({ name }) => name)).toContain('once');
  expect((await saved()).filter(({ name }) => name === 'once')).toHaveLength(1);
});

test('a failed copy shows the reason', async () => {
  await make('gone soon');
  await page.goto('/channel');
  await page.locator('tr[data-row]').filter({ hasText: 'gone soon' }).waitFor();
  const row = (await saved()).find(({ name }) => name === 'gone soon');
  await operator.call(`/api/channel/${row?.id}`, { method: 'DELETE' });
  await page.locator('tr[data-row]').filter({ hasText: 'gone soon' }).locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: '复制渠道', exact: true }).click();
  await toast('渠道复制失败：渠道未找到，请刷新页面后重试。');
  expect(site.visit.problems).toEqual([]);
});

const row = (name: string): Locator => page.locator('tr[data-row]').filter({ hasText: name });

test('several channels are tagged in one step; priority, fields and status are set for the tag, and it is removed', async () => {
  await make('pool one', { priority: 1 });
  await make('pool two', { priority: 2 });
  await page.goto('/channel?q=pool');
  await row('pool two').waitFor();
  await page.locator('thead .checkbox').click();
  await page.getByRole('toolbar').getByRole('button', { name: '设置标签' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '设置标签' }).click();
  await dialog.getByText('标签不能为空！').waitFor();
  await dialog.getByRole('textbox').fill('pool');
  await dialog.getByRole('button', { name: '设置标签' }).click();
  await toast('已为 2 个渠道设置标签');

  await button('标签聚合模式').click();
  const priority = page.getByRole('textbox', { name: 'pool 的优先级', exact: true });
  await expect.poll(() => priority.inputValue()).toBe('');
  const weight = page.getByRole('textbox', { name: 'pool 的权重', exact: true });
  for (const [field, entered, refusal] of [
    [priority, '1.5', '优先级必须是整数！'],
    [weight, '-1', '权重必须是非负整数！'],
  ] as const) {
    await field.fill(entered);
    await field.press('Enter');
    await toast(refusal);
  }
  await priority.fill('9');
  await priority.press('Enter');
  const pool = async () => (await saved()).filter(({ name }) => name.startsWith('pool'));
  await expect.poll(async () => (await pool()).map((channel) => channel.priority)).toEqual([9, 9]);

  await row('pool').getByRole('button', { name: '编辑' }).click();
  await button('保存').click();
  await page.locator('.drawer').getByText('没有任何修改！').waitFor();
  await page.getByRole('textbox', { name: '标签名，留空则解散标签' }).fill('lake');
  await button('保存').click();
  await toast('标签更新成功！共 2 个渠道');
  await expect.poll(() => page.locator('.drawer').count()).toBe(0);
  await row('lake').locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: '禁用全部' }).click();
  await expect.poll(async () => (await pool()).map(({ status }) => status)).toEqual([2, 2]);
  await row('lake').getByRole('button', { name: '编辑' }).click();
  // The saved drawer has closed, and this one shows the new tag.
  const name = page.getByRole('textbox', { name: '标签名，留空则解散标签' });
  await expect.poll(() => name.inputValue()).toBe('lake');
  // The field is cleared by a key press, so the drawer must have the focus first.
  await page.locator('.drawer :focus').waitFor();
  await name.fill('');
  await expect.poll(() => name.inputValue()).toBe('');
  await button('保存').click();
  await expect.poll(async () => (await pool()).map(({ tag }) => tag)).toEqual([null, null]);
  await button('标签聚合模式').click();
});

test('actions on all channels ask for confirmation, and report when they are done', async () => {
  await page.goto('/channel');
  const all = async (item: string, answer: string): Promise<void> => {
    await button('更多操作').first().click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click();
  };
  await row('newest').locator('.channel-balance').click();
  await toast('渠道 newest 余额更新成功：$12.50');
  await all('更新所有渠道余额', '全部更新');
  await page
    .getByText(/已开始更新渠道余额|余额更新完成：共 \d+ 个，失败 0 个/)
    .first()
    .waitFor();
  await all('修复数据一致性', '修复');
  await toast('已修复，共');
  await all('删除禁用渠道', '删除');
  await toast('已删除 2 个禁用渠道');
  expect((await saved()).filter(({ status }) => status !== 1)).toEqual([]);
});
