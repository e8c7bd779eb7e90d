import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { channelTypes } from '../../src/contract/channel-types.ts';
import { launchBrowser } from '../support/chromium.ts';
import { type ConsoleVisit, visitConsole } from '../support/console-visit.ts';
import { type Operator, rootPassword, setUp } from '../support/operator.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** How the list of channels is shown, what its form asks of each kind, and what is said when something fails. */

let tollgate: Tollgate;
let operator: Operator;
let browser: Browser;
let visit: ConsoleVisit;
let page: Page;

beforeAll(async () => {
  tollgate = await startTollgate();
  operator = await setUp(tollgate);
  await make('important', { priority: 5, models: 'a,b,c,d,e' });
  await make('newest');
  browser = await launchBrowser();
  visit = await visitConsole(browser, {
    url: tollgate.url,
    username: 'root',
    password: rootPassword,
    language: 'zh',
  });
  page = visit.page;
});
afterAll(async () => {
  await visit.close();
  await browser.close();
  await tollgate.stop();
});

const make = (name: string, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
  operator.call('/api/channel', {
    method: 'POST',
    body: { type: 1, name, key: 'sk-simulated', base_url: 'http://127.0.0.1:9', models: 'a', ...more },
  });
const list = z.object({ items: z.array(z.object({ id: z.number(), name: z.string() })) });
const saved = async () => list.parse(await operator.call('/api/channel?id_sort=true&page_size=100')).items;
const until = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 });
const names = (): Promise<string[]> => page.locator('tr[data-row] .cell-title').allTextContents();
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const boxes = (): Promise<number> => page.locator('tbody .checkbox').count();
const stored = (key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key);
const toast = (text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();

test('the order by id is kept under id-sort, and what follows batch operations under its own name', async () => {
  await page.goto('/channel');
  await until(names).toEqual(['important', 'newest']);
  await button('按 ID 排序').click();
  await until(names).toEqual(['newest', 'important']);
  expect(await stored('id-sort')).toBe('true');
  await until(boxes).toBe(2);
  await button('批量操作').click();
  await until(boxes).toBe(0);
  await page.reload();
  await until(names).toEqual(['newest', 'important']);
  expect(await boxes()).toBe(0);
  await button('批量操作').click();
  await until(boxes).toBe(2);
  await button('按 ID 排序').click();
  await until(names).toEqual(['important', 'newest']);
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

test('each kind says what its key looks like and what else it needs, and has a picture', async () => {
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
    expect(await field.inputValue()).toBe(value);
  }
  const icons = new Set(channelTypes.map(({ icon }) => icon).filter((icon) => icon !== 'custom'));
  for (const icon of icons) {
    const answer = await fetch(`${tollgate.url}/icons/${icon}.svg`);
    expect([icon, answer.headers.get('content-type')]).toEqual([icon, expect.stringMatching(/^image\/svg/)]);
    expect(await answer.text()).toContain('<svg');
  }
});

test('a form that is sent twice makes one channel, and says so', async () => {
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
  await until(async () => (await saved()).map(({ name }) => name)).toContain('once');
  expect((await saved()).filter(({ name }) => name === 'once')).toHaveLength(1);
});

test('a copy that fails says that it did, and why', async () => {
  await make('gone soon');
  await page.goto('/channel');
  await page.locator('tr[data-row]').filter({ hasText: 'gone soon' }).waitFor();
  const row = (await saved()).find(({ name }) => name === 'gone soon');
  await operator.call(`/api/channel/${row?.id}`, { method: 'DELETE' });
  await page.locator('tr[data-row]').filter({ hasText: 'gone soon' }).locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: '复制渠道', exact: true }).click();
  await toast('渠道复制失败：渠道未找到，请刷新页面后重试。');
  expect(visit.problems).toEqual([]);
});
