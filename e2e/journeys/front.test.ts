import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedBrowser } from '../support/chromium.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** From the setup link to the first page of the console, on a new site, in Chinese. */

const PASSWORD = 'correct horse';

let tollgate: Tollgate;
let page: Page;

beforeAll(async () => {
  tollgate = await startTollgate();
  const browser = await sharedBrowser();
  const context = await browser.newContext({ baseURL: tollgate.url, locale: 'zh-CN' });
  page = await context.newPage();
});

afterAll(async () => {
  await page.context().close();
  await tollgate.stop();
});

const submit = (): Promise<void> => page.locator('button[type=submit]').click();
const alert = (text: string): Promise<void> => page.getByRole('alert').filter({ hasText: text }).waitFor();

test('a new site shows that it needs its setup link, and offers no registration', async () => {
  await page.goto('/');
  await page.getByText('系统尚未初始化').waitFor();
  expect(await page.getByRole('link', { name: '注册' }).count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the setup link creates the super admin once the form is valid, and signs in', async () => {
  await page.goto(`/setup?secret=${tollgate.setupSecret}`);
  await submit();
  await alert('请输入用户名和密码！');
  await page.getByLabel('管理员用户名').fill('root');
  await page.getByLabel('密码', { exact: true }).fill('short');
  await submit();
  await alert('密码长度不得小于 8 位！');
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('确认密码').fill('another horse');
  await submit();
  await alert('两次输入的密码不一致');
  await page.getByLabel('确认密码').fill(PASSWORD);
  expect(await accessibilityProblems(page)).toEqual([]);
  await submit();
  await page.waitForURL('**/detail');
  await page.getByRole('region', { name: '快速开始' }).waitFor();
});

test('a visitor registers, and sees errors of the server', async () => {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await page.getByRole('link', { name: '注册' }).click();
  // The previous page has fields of the same names.
  await page.getByLabel('确认密码').waitFor();
  await page.getByLabel('用户名').fill('root');
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('确认密码').fill(PASSWORD);
  await submit();
  await alert('用户名或邮箱已被占用');
  await page.getByLabel('用户名').fill('ada');
  await submit();
  await page.getByText('注册成功！').waitFor();
  await page.waitForURL('**/login');
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('a page of the console requires signing in, and is shown with its filters afterwards', async () => {
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: '控制台' }).click();
  await page.waitForURL('**/login?redirect=*');
  await page.goto('/channel?q=x&page=2');
  await page.waitForURL('**/login?redirect=*');
  await page.locator('input[name=username]').fill('root');
  await page.locator('input[name=password]').fill('wrong horse');
  await submit();
  await alert('用户名或密码错误');
  await page.locator('input[name=password]').fill(PASSWORD);
  await submit();
  await page.waitForURL('**/channel?q=x&page=2');
  await page.getByRole('heading', { level: 1, name: '渠道' }).waitFor();
  await expect.poll(() => page.title()).toBe('渠道 - Tollgate');
});

test('language and theme change in place and stay', async () => {
  await page.getByRole('button', { name: '切换语言' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'English' }).click();
  await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
});

test('a session that ended elsewhere leads to the sign-in page, which explains it and leads back', async () => {
  // A pending response would set the cookie again.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto('/token');
  await page.waitForURL('**/login?expired=true*');
  const why = page.getByRole('note').filter({ hasText: 'Not logged in or expired, please log in again' });
  await why.waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('username');
  await page.keyboard.type('ada');
  await page.locator('input[name=password]').fill('not the password');
  await submit();
  await page.getByRole('alert').waitFor();
  expect(await why.count()).toBe(0);
  await page.locator('input[name=password]').fill(PASSWORD);
  await submit();
  await page.waitForURL('**/token');
  await expect.poll(() => page.title()).toBe('Tokens - Tollgate');
});

test('admin pages show "not found" to others, as do pages that do not exist', async () => {
  expect(await page.getByRole('link', { name: 'Channels' }).count()).toBe(0);
  for (const address of ['/channel', '/nothing/here']) {
    await page.goto(address);
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  }
});

test('signing out ends the session', async () => {
  await page.goto('/token');
  await page.getByRole('button', { name: 'Account: ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => page.evaluate('localStorage.user')).toBeUndefined();
});
