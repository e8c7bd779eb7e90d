import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { moveTo, settled } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, makeToken, type Operator } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** The command palette, the list of keyboard shortcuts, and other keys of all pages, in Chinese. */

let site: ConsoleSite;
let simulator: RunningSimulator;
let root: Operator;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole({ language: 'zh' });
  root = site.operator;
  page = site.page;
  await makeChannel(root, { name: 'north', baseUrl: simulator.url, models: ['gpt-4o'] });
  const body = { username: 'alice', password: 'a long enough secret' };
  await root.call('/api/user/register', { method: 'POST', body });
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

test('the palette finds pages, channels, tokens and users by name, and opens them', async () => {
  await makeToken(root, { name: 'lighthouse', unlimited_quota: true });
  for (const [typed, name, path] of [
    ['兑换', '兑换码', '/redemption'],
    ['north', 'north', '/channel?edit=1'],
    ['lightho', 'lighthouse', '/token?edit='],
    ['alic', 'alice', '/user?edit=2'],
  ] as const) {
    await moveTo(page, '/log');
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.locator('.palette').getByRole('combobox').fill(typed);
    await page.getByRole('option').filter({ hasText: name }).first().waitFor();
    await page.getByRole('option').filter({ hasText: name }).first().click();
    await page.waitForURL((url) => `${url.pathname}${url.search}`.startsWith(path));
    await expect.poll(() => page.title()).not.toBe('使用日志 - Tollgate');
  }
  await page.goto('/log');
  await page.getByRole('button', { name: /^搜索/ }).click();
  await page.locator('.palette').getByRole('option').first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id);

test('letters typed while the palette is loading are searched, and the opened page gets the focus', async () => {
  const { promise, resolve: arrive } = Promise.withResolvers<void>();
  await page.goto('/log');
  await settled(page);
  const scripts = '**/assets/*.js';
  await page.route(scripts, async (route) => {
    await promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  // Alone, G and T open the tokens.
  await page.keyboard.type('gt钱包');
  arrive();
  const box = page.locator('.palette').getByRole('combobox');
  await expect.poll(() => box.inputValue()).toBe('gt钱包');
  await page.unroute(scripts);
  await box.fill('钱包');
  await page.getByRole('option').filter({ hasText: '钱包' }).first().waitFor();
  await box.press('Enter');
  await page.waitForURL('**/topup');
  await expect.poll(focused).toBe('content');
  // A link of the page goes with it.
  await page.getByRole('link', { name: '账单' }).press('Enter');
  await page.waitForURL('**/statements');
  await expect.poll(focused).toBe('content');
});

test('Enter and arrow keys used by an input method do nothing in the palette', async () => {
  await page.goto('/log');
  await page.getByRole('button', { name: /^搜索/ }).waitFor();
  await page.keyboard.press('Control+k');
  const box = page.locator('.palette').getByRole('combobox');
  await box.fill('ling');
  await page.getByRole('option').first().waitFor();
  const chosen = () => box.getAttribute('aria-activedescendant');
  const before = await chosen();
  for (const key of ['ArrowDown', 'Enter'])
    await box.dispatchEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true });
  expect(await chosen()).toBe(before);
  expect(new URL(page.url()).pathname).toBe('/log');
  await box.press('Enter');
  await page.locator('.palette').waitFor({ state: 'detached' });
});

test('the palette runs commands: change the theme, create a channel, open a settings tab, test and disable a channel', async () => {
  const type = async (typed: string, name: string): Promise<void> => {
    await page.getByRole('button', { name: /^搜索/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('.palette').getByRole('combobox').fill(typed);
    await page.getByRole('option').filter({ hasText: name }).first().click();
  };
  await page.goto('/log');
  await type('dark', '深色主题');
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await type('浅色', '浅色主题');
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('light');
  await type('rate lim', '速率限制');
  await page.waitForURL(/\/setting\?tab=ratelimit/);
  await type('add channel', '添加渠道');
  await page.waitForURL(/\/channel\?edit=new/);
  await page.goto('/log');
  await type('test north', '测试 north');
  await page
    .locator('.toaster')
    .getByText(/north 响应正常，用时 [\d.]+ 秒/)
    .waitFor();
  await type('停用 north', '禁用 north');
  await page.locator('.toaster').getByText('north 已禁用').waitFor();
  await page.locator('.toaster').getByRole('button', { name: '撤销' }).click();
  await page.locator('.toaster').getByText('north 已启用').waitFor();
});

test('the palette finds entries in both languages, whichever the console uses', async () => {
  const english = (await site.open()).page;
  for (const on of [page, english]) {
    await on.goto('/log');
    await on
      .getByRole('button', { name: /^(搜索|Search)/ })
      .first()
      .waitFor();
  }
  for (const [on, typed, name] of [
    [page, '限速', '速率限制'],
    [page, 'rate limits', '速率限制'],
    [page, '加渠道', '添加渠道'],
    [page, 'wallet', '钱包'],
    [page, '发票', '账单'],
    [english, '限速', 'Rate limit'],
    [english, '深色', 'Dark theme'],
    [english, '加渠道', 'Add a channel'],
    [english, 'api key', 'Tokens'],
    [english, '测试 north', 'Test north'],
  ] as const) {
    await on.keyboard.press('Control+k');
    await on.locator('.palette').getByRole('combobox').fill(typed);
    const found = on.getByRole('option').filter({ hasText: name });
    await expect.poll(() => found.count()).toBeGreaterThan(0);
    await on.keyboard.press('Escape');
    await on.locator('.palette').waitFor({ state: 'detached' });
  }
});

test('a list shows all keyboard shortcuts; single letters can be switched off there', async () => {
  await page.goto('/log');
  await page.getByRole('button', { name: /^搜索/ }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForURL(/\/token/);
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: '键盘快捷键' });
  await sheet.getByText('下一行、上一行').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await sheet.getByRole('switch').click();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('Control+k');
  await page.locator('.palette').getByRole('combobox').fill('快捷键');
  await page.getByRole('option').filter({ hasText: '键盘快捷键' }).first().click();
  await sheet.getByRole('switch').click();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  expect(await page.getByText('已选 1 项').count()).toBe(0);
});

test('the keys that scroll a page do so before anybody has clicked into it, and after a choice in the menu', async () => {
  const scrolledPx = () => page.evaluate("document.querySelector('.sheet').scrollTop");
  await page.goto('/setting');
  await page.getByRole('banner').getByRole('button', { name: /搜索/ }).waitFor();
  await page.getByRole('switch').first().waitFor();
  await page.keyboard.press('PageDown');
  await expect.poll(scrolledPx).toBeGreaterThan(200);
  await page.getByRole('navigation').getByRole('link', { name: '令牌', exact: true }).click();
  await page.waitForURL('**/token');
  await page.getByRole('navigation').getByRole('link', { name: '设置', exact: true }).click();
  await page.getByRole('switch').first().waitFor();
  expect(await scrolledPx()).toBe(0);
  await page.keyboard.press('End');
  await expect.poll(scrolledPx).toBeGreaterThan(200);
});
