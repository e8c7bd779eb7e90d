import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/chromium.ts';
import { accessibilityProblems, type ConsoleVisit, visitConsole } from '../support/console-visit.ts';
import { type Operator, rootPassword, setUp } from '../support/operator.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** Users and personal settings in a real browser. */

let tollgate: Tollgate;
let operator: Operator;
let browser: Browser;

beforeAll(async () => {
  tollgate = await startTollgate();
  operator = await setUp(tollgate);
  for (const username of ['ada', 'grace'])
    await operator.call('/api/user', { method: 'POST', body: { username, password: 'a long password' } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await tollgate.stop();
});

const open = (options: object): Promise<ConsoleVisit> =>
  visitConsole(browser, { url: tollgate.url, username: 'root', password: rootPassword, ...options });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an admin gives quota and sees the sum, and what rank forbids is not offered', async () => {
  const visit = await open({ language: 'zh' });
  const { page } = visit;
  await page.goto('/user');
  const row = page.locator('tr[data-row]').filter({ hasText: 'ada' });
  await row.waitFor();
  await row.getByRole('button', { name: /更多/ }).click();
  await page.getByRole('menuitem', { name: '添加额度' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: '额度', exact: true })
    .or(dialog.getByRole('spinbutton', { name: '额度', exact: true }))
    .fill('1000000');
  expect(await dialog.locator('.user-sum').textContent()).toContain('$2');
  await button(page, '确定').click();
  await page.locator('.toast').filter({ hasText: '额度已更新' }).waitFor();
  expect(visit.problems).toEqual([]);
  await visit.close();
});

test.each([
  { language: 'zh', theme: 'light', isPhone: false },
  { language: 'en', theme: 'dark', isPhone: true },
] as const)('users and personal settings are clean in %o', async (look) => {
  const visit = await open(look);
  const { page } = visit;
  for (const [name, path, sign] of [
    ['users', '/user', '.user-initial'],
    ['personal', '/setting?tab=personal', '.personal-figures'],
  ] as const) {
    await page.goto(path);
    await page.locator(sign).first().waitFor();
    await page.waitForTimeout(400);
    expect([name, await accessibilityProblems(page)]).toEqual([name, []]);
  }
  expect(visit.problems).toEqual([]);
  await visit.close();
});
