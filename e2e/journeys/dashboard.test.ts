import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { accessibilityProblems, type ConsoleVisit } from '../support/console-visit.ts';
import { makeChannel, makeToken, type Operator, setOption, signIn } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** Usage on the dashboard, exact to the unit, and the connect page, in Chinese. */

const USER = { username: 'alice', password: 'a long enough secret' };
const MODELS = ['gpt-4o-mini', 'gpt-4o'];

let simulator: RunningSimulator;
let site: ConsoleSite;
let root: Operator;
let alice: Operator;
let page: Page;

const callModel = async (key: string, model: string, program: string): Promise<void> => {
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': program },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Write some code' }] }),
  });
  await response.text();
  expect(response.status).toBe(200);
};

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole({ language: 'zh' });
  root = site.operator;
  page = site.page;
  await setOption(root, 'QuotaForNewUser', 5_000_000);
  await setOption(root, 'ModelRatio', { 'gpt-4o-mini': 0.075, 'gpt-4o': 1.25 });
  await makeChannel(root, { name: 'north', baseUrl: simulator.url, models: MODELS });
  await root.call('/api/user/register', { method: 'POST', body: USER });
  alice = await signIn(site.url, USER.username, USER.password);
  const { key } = await makeToken(alice, { name: 'notebook', unlimited_quota: true });
  for (const model of MODELS) await callModel(key, model, 'codex_cli_rs/0.169.0');
  await callModel(key, 'gpt-4o', 'curl/8.5.0');
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const asAlice = (more: object = {}): Promise<ConsoleVisit> => site.open({ ...USER, language: 'zh', ...more });
const press = (name: string): Promise<void> => page.getByRole('radio', { name, exact: true }).check();
const total = async (on: Page): Promise<number> =>
  Number(await on.locator('[data-total]').getAttribute('data-total'));
const logged = async (who: Operator, path: string): Promise<{ quota: number; calls: number }> => {
  const stat = z.object({ quota: z.number() }).parse(await who.call(`${path}/stat?type=2`));
  const list = z.object({ total: z.number() }).parse(await who.call(`${path}?type=2`));
  return { quota: stat.quota, calls: list.total };
};

test('the dashboard shows the last three days; its sums are those of the logs, by hour, day and week', async () => {
  const asked = page.waitForRequest((request) => request.url().includes('/api/data?'));
  await page.goto('/detail');
  const query = new URL((await asked).url()).searchParams;
  const [from, to] = ['start_timestamp', 'end_timestamp'].map((name) => Number(query.get(name)));
  expect((to ?? 0) - (from ?? 0) + 1).toBe(3 * 86_400);
  const { quota, calls } = await logged(root, '/api/log');
  expect(quota).toBeGreaterThan(0);
  await expect.poll(() => total(page)).toBe(quota);
  for (const step of ['天', '周', '小时']) {
    await press(step);
    await expect.poll(async () => [step, await total(page)]).toEqual([step, quota]);
  }
  await press('调用次数');
  await expect.poll(() => total(page)).toBe(calls);
  await expect
    .poll(() => page.getByRole('list', { name: '模型排行' }).textContent())
    .toMatch(/gpt-4o.*gpt-4o-mini/);
  await expect.poll(() => page.getByRole('list', { name: '用户排行' }).textContent()).toContain('alice');
  await expect.poll(() => page.getByRole('img', { name: /走势$/ }).count()).toBe(3);
  await page.getByRole('img', { name: /分布/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.locator('.stacked-tip').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the address keeps the selection of the dashboard', async () => {
  await page.goto('/detail?of=me&by=count&step=week');
  await expect.poll(() => total(page)).toBe(0);
  for (const name of ['我的', '调用次数', '周'])
    await expect
      .poll(async () => [name, await page.getByRole('radio', { name, exact: true }).isChecked()])
      .toEqual([name, true]);
  await page.goto('/detail?user=alice');
  await expect.poll(() => total(page)).toBe((await logged(alice, '/api/log/self')).quota);
  await page.goto('/detail?user=nobody');
  await expect.poll(() => total(page)).toBe(0);
});

test('the last days are one click away; a typed range applies once it is complete, and Back returns', async () => {
  await page.goto('/detail');
  await press('30 天');
  await page.waitForURL('**/detail?days=30');
  await page.getByText('最近 30 天的用量').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/api/data?') && asked.push(request.url()));
  expect(await page.getByLabel('起始时间').count()).toBe(0);
  await press('自定义');
  const from = page.getByLabel('起始时间');
  await from.focus();
  await page.keyboard.type('01022026', { delay: 20 });
  expect(asked).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=\d+&to=\d+/);
  await page.getByText('所选时间内的用量').waitFor();
  await page.goBack();
  await page.waitForURL('**/detail?days=30');
  await expect.poll(() => page.getByRole('radio', { name: '30 天', exact: true }).isChecked()).toBe(true);
});

test('a bar links to its logs, its parts add up, and its name in the legend hides it', async () => {
  await page.goto('/detail?by=quota&step=day');
  const chart = page.getByRole('img', { name: /分布/ });
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  const dollars = async (texts: Promise<string[]>): Promise<number[]> =>
    (await texts).map((text) => Math.round(Number(text.replace('$', '')) * 1e6));
  const shown = await dollars(page.locator('.stacked-tip b').allTextContents());
  expect(shown.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBe(shown.at(-1));
  const legend = page.locator('.stacked-legend').getByRole('button', { name: 'gpt-4o-mini', exact: true });
  await legend.click();
  await expect.poll(() => legend.getAttribute('aria-pressed')).toBe('false');
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.locator('.stacked-tip b').count()).toBe(2);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/log?*');
  const query = new URL(page.url()).searchParams;
  expect([query.get('type'), Number(query.get('to')) - Number(query.get('from')) < 86_400]).toEqual([
    '2',
    true,
  ]);
  await page.locator('tr[data-row]').first().waitFor();
  await expect.poll(() => page.locator('tr[data-row]').count()).toBe(3);
});

test('split by program, a part of a bar links to the logs of that program, which can be sorted', async () => {
  await page.goto('/detail?by=count&step=week&split=program');
  const part = page.locator('.stacked-bar [data-part="Codex"]:not([hidden])');
  await part.click();
  await page.waitForURL('**/log?*');
  await expect.poll(() => new URL(page.url()).searchParams.get('program')).toBe('Codex');
  const models = () => page.locator('tr[data-row] .log-model').allTextContents();
  await expect.poll(models).toEqual(['gpt-4o', 'gpt-4o-mini']);
  await page.getByRole('button', { name: '花费' }).click();
  await expect.poll(models).toEqual(['gpt-4o', 'gpt-4o-mini']);
  await page.getByRole('button', { name: '花费' }).click();
  await expect.poll(models).toEqual(['gpt-4o-mini', 'gpt-4o']);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('a user sees only their own numbers and tokens', async () => {
  const own = await asAlice({ isPhone: true, theme: 'dark' });
  await own.page.goto('/detail');
  await expect.poll(() => total(own.page)).toBe((await logged(alice, '/api/log/self')).quota);
  expect(await own.page.getByRole('radio', { name: '全站' }).count()).toBe(0);
  // The bars of three days by hour are narrow on a phone, but still visible.
  const widths = await own.page
    .locator('.stacked-bar')
    .evaluateAll((bars) => bars.map((bar) => bar.clientWidth));
  expect(Math.min(...widths)).toBeGreaterThan(0);
  await expect
    .poll(() => own.page.getByRole('list', { name: '令牌排行' }).textContent())
    .toContain('notebook');
  expect(own.problems).toEqual([]);
  await own.close();
});

test('panels of the operator are shown to every user on the dashboard, newest first and without scripts', async () => {
  await page.goto('/setting?tab=operation&option=console_setting.faq');
  const card = page.getByRole('region', { name: '看板面板' });
  const table = card.getByRole('group', { name: '常见问答' });
  await table.getByRole('button').last().click();
  await table.getByRole('textbox').nth(0).fill('如何充值？');
  await table.getByRole('textbox').nth(1).fill('看**钱包**页。');
  await table.getByRole('textbox').nth(1).blur();
  await table.getByRole('button').last().click();
  await card.getByRole('button', { name: /保存/ }).click();
  await page.getByText('保存成功').first().waitFor();
  await setOption(root, 'console_setting.api_info', [
    { url: 'https://eu.example/v1', route: '欧洲', description: '' },
  ]);
  await setOption(root, 'console_setting.announcements', [
    { content: 'older', date: '2026-01-01' },
    { content: 'newer <img src=x onerror="window.hacked = 1">', date: '2026-02-01T08:00:00+08:00' },
  ]);
  const visit = await asAlice();
  await visit.page.goto('/detail');
  const news = visit.page.getByRole('region', { name: '公告' }).getByRole('listitem');
  await expect
    .poll(async () => (await news.allTextContents()).map((text) => text.trim()))
    .toEqual([expect.stringMatching(/^2026-02-01\s*newer$/), expect.stringMatching(/^2026-01-01\s*older$/)]);
  expect(await visit.page.evaluate('window.hacked')).toBeUndefined();
  await visit.page.getByText('https://eu.example/v1').waitFor();
  await visit.page.getByText('如何充值？').click();
  await visit.page.getByText('看钱包页。').waitFor();
  expect(await accessibilityProblems(visit.page)).toEqual([]);
  await visit.close();
});

test('a program is set up from the connect page, and the test button makes a real call', async () => {
  const own = await asAlice();
  await own.page.goto('/connect?client=codex');
  const text = own.page.locator('.connect-text pre');
  const key = z
    .object({ items: z.array(z.object({ key: z.string() })) })
    .parse(await alice.call('/api/token')).items[0]?.key;
  await own.page.getByRole('button', { name: 'Claude Code' }).click();
  await expect.poll(() => text.textContent()).toContain(site.url);
  // The key is masked on the screen, but complete in the copied text.
  expect(await text.textContent()).not.toContain(`sk-${key}`);
  await own.page.getByRole('button', { name: '显示密钥' }).click();
  await expect.poll(() => text.textContent()).toContain(`sk-${key}`);
  await own.page.getByRole('button', { name: '复制配置' }).click();
  const shown = await text.textContent();
  await expect.poll(() => own.page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  const works = own.page.getByText(/^可以使用（/);
  for (const [program, path] of [
    ['Claude Code', '/v1/messages'],
    ['Codex', '/v1/responses'],
    ['Gemini CLI', ':generateContent'],
    ['Cursor', '/v1/chat/completions'],
  ] as const) {
    await own.page.getByRole('button', { name: program }).click();
    // The result of one program's test is not shown for the next.
    await works.waitFor({ state: 'detached' });
    const asked = own.page.waitForRequest((request) => request.url().endsWith(path));
    await own.page.getByRole('button', { name: '测试一下' }).click();
    await asked;
    await works.waitFor();
  }
  expect(own.problems).toEqual([]);
  await own.close();
});
