import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveTo } from '../support/console-moves.ts';
import { accessibilityProblems, type ConsoleVisit } from '../support/console-visit.ts';
import { makeChannel, makeToken, type Operator, setOption } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** The frame of the pages and navigation between them, in Chinese. */

const USER = { username: 'alice', password: 'a long enough secret' };

let site: ConsoleSite;
let root: Operator;
let page: Page;

beforeAll(async () => {
  site = await startConsole({ language: 'zh' });
  root = site.operator;
  page = site.page;
  await makeChannel(root, { name: 'north', baseUrl: 'http://127.0.0.1:9', models: ['gpt-4o'] });
  await root.call('/api/user/register', { method: 'POST', body: USER });
});
afterAll(async () => {
  await site.stop();
});

const asAlice = (more: object = {}): Promise<ConsoleVisit> => site.open({ ...USER, language: 'zh', ...more });
test('the menu follows the options of the site, and includes chat programs', async () => {
  const link = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  await page.goto('/token');
  for (const name of ['数据看板', '绘图日志', '任务日志']) await link(name).waitFor();
  for (const key of ['DataExportEnabled', 'DrawingEnabled', 'TaskEnabled'])
    await setOption(root, key, 'false');
  await setOption(root, 'Chats', [{ 'Next chat': 'https://chat.example/#{key}' }]);
  await page.reload();
  await link('令牌').waitFor();
  for (const name of ['数据看板', '绘图日志', '任务日志'])
    expect([name, await link(name).count()]).toEqual([name, 0]);
  await page.getByRole('button', { name: '聊天' }).click();
  await expect.poll(() => link('Next chat').getAttribute('href')).toBe('/chat/0');
  await page.getByRole('button', { name: '收起侧边栏' }).click();
  await page.reload();
  await page.getByRole('button', { name: '展开侧边栏' }).waitFor();
  await page.getByRole('button', { name: '聊天' }).click();
  await page.getByRole('menuitem', { name: 'Next chat' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '展开侧边栏' }).click();
  for (const key of ['DataExportEnabled', 'DrawingEnabled', 'TaskEnabled'])
    await setOption(root, key, 'true');
});

test('on a phone a button opens the whole menu, and choosing a page closes it', async () => {
  const phone = await asAlice({ isPhone: true });
  await phone.page.goto('/token');
  await phone.page.locator('.top').getByRole('button', { name: '主菜单' }).click();
  const side = phone.page.getByRole('dialog', { name: '主菜单' });
  await side.getByRole('link', { name: '使用日志' }).waitFor();
  expect(await side.getByRole('link', { name: '渠道' }).count()).toBe(0);
  expect(await accessibilityProblems(phone.page)).toEqual([]);
  await side.getByRole('link', { name: '使用日志' }).click();
  await phone.page.waitForURL('**/log');
  await side.waitFor({ state: 'detached' });
  await phone.page.locator('.top').getByRole('button', { name: '主菜单' }).click();
  await phone.page.keyboard.press('Escape');
  await side.waitFor({ state: 'detached' });
  expect(phone.problems).toEqual([]);
  await phone.close();
});

test('every page has its title', async () => {
  for (const [path, title] of [
    ['/', '首页'],
    ['/about', '关于'],
    ['/pricing', '模型价格'],
    ['/detail', '数据看板'],
    ['/playground', '操练场'],
    ['/token', '令牌'],
    ['/connect', '接入'],
    ['/log', '使用日志'],
    ['/midjourney', '绘图日志'],
    ['/task', '任务日志'],
    ['/topup', '钱包'],
    ['/setting', '设置'],
    ['/channel', '渠道'],
    ['/prices', '价格'],
    ['/price-book', '价格簿'],
    ['/redemption', '兑换码'],
    ['/user', '用户'],
    ['/chat/0', '聊天'],
    ['/nowhere', '页面不存在'],
  ] as const) {
    await moveTo(page, path);
    await expect.poll(() => page.title()).toBe(`${title} - Tollgate`);
    // A screen reader does not announce a changed title. The first page may be the one that was loaded.
    const said = async () => (await page.locator('p[role=status]').last().textContent()) || '数据看板';
    await expect.poll(said).toBe(title);
  }
});

test('lists are navigated, selected and opened with the keyboard, and a link skips the menu', async () => {
  await makeToken(root, { name: 'lighthouse', unlimited_quota: true });
  await page.goto('/token');
  await page.locator('tr[data-row]').first().waitFor();
  // Icons beside words are not announced as images without a name.
  await expect.poll(() => page.locator('.tabler-icon').count()).toBeGreaterThan(10);
  expect(await page.locator('.tabler-icon:not([aria-hidden=true])').count()).toBe(0);
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: '跳到正文' }).press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
  const isOnRow = (): Promise<unknown> => page.evaluate('document.activeElement.matches("tr[data-row]")');
  await page.keyboard.press('j');
  await expect.poll(isOnRow).toBe(true);
  await page.keyboard.press('x');
  await page.getByText('已选 1 项').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('已选 1 项').waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  await page.waitForURL(/edit=\d+/);
  await page.getByRole('dialog').getByRole('textbox', { name: '名称' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.search.includes('edit'));
  // The focus is back on the row, and Tab continues from there.
  await expect.poll(isOnRow).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("tr[data-row]") !== null')).toBe(true);
  await page.keyboard.press('/');
  await expect
    .poll(() => page.evaluate('document.activeElement.hasAttribute("data-table-search")'))
    .toBe(true);
});

test('old bookmarks open the right pages', async () => {
  for (const [old, path] of [
    ['/user/edit/2', '/user?edit=2'],
    ['/user/edit', '/user?edit=new'],
    ['/channel/edit/1', '/channel?edit=1'],
    ['/channel/add', '/channel?edit=new'],
    ['/console', '/detail'],
  ] as const) {
    await page.goto(old);
    await expect.poll(() => page.url()).toBe(`${site.url}${path}`);
  }
});

const hostile = [
  '# Welcome',
  '<img src="/nothing.png" onerror="globalThis.acted = true">',
  '<script>globalThis.acted = true</script>',
  '<a href="javascript:globalThis.acted = true">press</a>',
  '<style>body { display: none }</style><form action="/api/user/logout"><button>go</button></form>',
].join('\n\n');

test('a notice opens once and is then behind the bell; scripts in it do not run', async () => {
  for (const key of ['Notice', 'HomePageContent', 'About', 'Footer'])
    await setOption(root, key, hostile.replace('Welcome', `Welcome ${key}`));
  const visitor = await asAlice();
  await visitor.page.goto('/');
  const dialog = visitor.page.getByRole('dialog', { name: '公告' });
  await dialog.getByText('Welcome Notice').waitFor();
  expect(await accessibilityProblems(visitor.page)).toEqual([]);
  await dialog.getByRole('button', { name: '知道了' }).click();
  await dialog.waitFor({ state: 'detached' });
  await visitor.page.reload();
  await visitor.page.getByText('Welcome HomePageContent').waitFor();
  await visitor.page.getByText('Welcome Footer').waitFor();
  await visitor.page.getByRole('button', { name: '公告' }).waitFor();
  expect(await dialog.count()).toBe(0);
  await visitor.page.getByRole('button', { name: '公告' }).click();
  await dialog.getByRole('link', { name: 'press' }).or(dialog.getByText('press')).click();
  await visitor.page.keyboard.press('Escape');
  await visitor.page.goto('/about');
  await visitor.page.getByText('Welcome About').waitFor();
  await visitor.page.locator('.custom-content').getByText('press').click();
  await visitor.page.locator('.footer').getByText('press').click();
  expect(await visitor.page.evaluate('globalThis.acted')).toBeUndefined();
  expect(await visitor.page.locator('main form, footer form, main style, main script').count()).toBe(0);
  expect(await visitor.page.evaluate('localStorage.user')).toContain('alice');
  await visitor.close();
  for (const key of ['Notice', 'HomePageContent', 'About', 'Footer']) await setOption(root, key, '');
});

test('an external page of the operator is embedded without our origin, above the version of the site', async () => {
  await setOption(root, 'About', 'https://about.example/page');
  const { page: visitor, close } = await site.openForStranger({ language: 'zh' });
  await visitor.route('https://about.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>theirs</title>' }),
  );
  await visitor.goto('/about');
  const frame = visitor.locator('iframe.custom-frame');
  expect(await frame.getAttribute('sandbox')).not.toContain('allow-same-origin');
  const { version } = (await root.call('/api/status')) as { version: string };
  await expect.poll(() => visitor.locator('.footer').textContent()).toBe(`Tollgate · 版本 ${version}`);
  await close();
  await setOption(root, 'About', '');
});

test('badges mark a demo site and a site in self-use mode, which has no registration', async () => {
  const { page: visitor, close } = await site.openForStranger({ language: 'zh' });
  await visitor.goto('/');
  await visitor.getByRole('link', { name: '注册' }).waitFor();
  await setOption(root, 'SelfUseModeEnabled', 'true');
  await setOption(root, 'DemoSiteEnabled', 'true');
  await visitor.goto('/');
  for (const badge of ['自用模式', '演示站点']) await visitor.getByText(badge).waitFor();
  expect(await visitor.getByRole('link', { name: '注册' }).count()).toBe(0);
  await visitor.goto('/login');
  await visitor.locator('input[name=username]').waitFor();
  expect(await visitor.getByRole('link', { name: '注册' }).count()).toBe(0);
  await close();
  await setOption(root, 'DemoSiteEnabled', 'false');
  await setOption(root, 'SelfUseModeEnabled', 'false');
});

test('on New Year’s Day there is a greeting; its confetti ends with a new page, and does not appear with reduced motion', async () => {
  const context = await site.browser.newContext({ baseURL: site.url, locale: 'zh-CN' });
  const visitor = await context.newPage();
  await visitor.clock.install({ time: new Date(2027, 0, 1, 12) });
  await visitor.goto('/');
  await visitor.getByRole('button', { name: '新年快乐' }).click();
  const confetti = visitor.locator('.confetti');
  await expect.poll(() => confetti.isVisible()).toBe(true);
  await visitor.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(() => confetti.isVisible()).toBe(false);
  const reloaded = visitor.waitForEvent('load');
  await visitor.clock.fastForward(13_000);
  await reloaded;
  await context.close();
  await page.goto('/');
  await page.getByRole('link', { name: '关于' }).first().waitFor();
  expect(await page.getByRole('button', { name: '新年快乐' }).count()).toBe(0);
});

test('tooltips and toasts are inside landmarks of the page', async () => {
  await page.goto('/token');
  const button = page.getByRole('button', { name: /^切换到/ });
  await button.waitFor();
  // The first move of the pointer loads the tooltips.
  await page.mouse.move(1, 1);
  await page.locator('#tip').waitFor({ state: 'attached' });
  await button.hover();
  await page.locator('#tip:popover-open').waitFor();
  expect(await accessibilityProblems(page, { within: 'html' })).toEqual([]);
  await page.goto('/setting?tab=ratelimit');
  await page.getByRole('button', { name: '保存模型请求速率限制' }).click();
  await page.locator('.toast').first().waitFor();
  expect(await accessibilityProblems(page, { within: 'html' })).toEqual([]);
  expect(site.visit.problems).toEqual([]);
});

test('a menu can be opened again right after a choice, and the click that closes it does not reopen it', async () => {
  await page.goto('/channel');
  const trigger = page.getByRole('button', { name: '更多操作', exact: true });
  const reload = page.getByRole('menuitem', { name: '刷新' });
  await trigger.click();
  await reload.waitFor();
  // Dispatched as events, so that the second click follows within milliseconds.
  await reload.dispatchEvent('click');
  await reload.waitFor({ state: 'detached' });
  await trigger.dispatchEvent('click');
  await reload.waitFor();
  await trigger.click();
  // The browser hides the list before the page is notified, so the test waits for the trigger.
  await page.getByRole('button', { name: '更多操作', exact: true, expanded: false }).waitFor();
  expect(await reload.isVisible()).toBe(false);
});

test('on the first page of a tab, Back closes a dialog before it leaves the site', async () => {
  const visit = await site.open({ language: 'zh' });
  await visit.page.goto('/channel');
  await visit.page.locator('tr[data-row] [aria-haspopup=menu]').first().click();
  await visit.page.getByRole('menuitem', { name: '密钥…' }).click();
  const dialog = visit.page.getByRole('dialog');
  await dialog.waitFor();
  await visit.page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await visit.page.getByRole('heading', { name: '渠道' }).waitFor();
  await expect.poll(() => new URL(visit.page.url()).pathname).toBe('/channel');
  await visit.close();
});
