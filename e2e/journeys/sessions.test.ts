import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { settled } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeToken, rootPassword } from '../support/operator.ts';

/** Ending sessions, changing users and a lost network. */

const ADA = { username: 'ada', password: 'correct horse' };

let site: ConsoleSite;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  site = await startConsole({ isOwn: true });
  page = site.page;
  context = page.context();
  await site.operator.call('/api/user', { method: 'POST', body: { ...ADA, display_name: 'Ada' } });
  await makeToken(site.operator, { name: 'of-root' });
});

afterAll(async () => {
  await site.stop();
});

const rootRow = (at: Page) => at.locator('tr[data-row]').filter({ hasText: 'of-root' });

/** An action that sends a request. */
const readRowsAgain = (): Promise<void> => page.getByRole('searchbox').first().fill('of');

const signIn = async (at: Page, username: string, password: string): Promise<void> => {
  await at.locator('input[name=username]').fill(username);
  await at.locator('input[name=password]').fill(password);
  await at.locator('button[type=submit]').click();
};

test('a session that ends while a form is being filled in is renewed in a dialog, and the input is saved', async () => {
  await page.goto('/token?edit=new');
  const name = page.locator('.drawer').getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('kept draft');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await expect.poll(() => dialog.locator('input[name=username]').inputValue()).toBe('root');
  await dialog.locator('input[name=password]').fill('wrong password');
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('alert').waitFor();
  await dialog.locator('input[name=password]').fill(rootPassword);
  await dialog.locator('button[type=submit]').click();
  await page.getByRole('dialog', { name: 'Token created' }).waitFor();
  const { items } = (await site.operator.call('/api/token?page_size=100')) as {
    items: { name: string }[];
  };
  expect(items.filter((token) => token.name === 'kept draft')).toHaveLength(1);
});

test('a session renewed in another tab lets the waiting page continue by itself', async () => {
  await page.goto('/token');
  await rootRow(page).waitFor();
  await context.clearCookies();
  await readRowsAgain();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  const opened = context.waitForEvent('page');
  await dialog.getByRole('link', { name: 'Sign in another way, in a new tab' }).click();
  const tab = await opened;
  await signIn(tab, 'root', rootPassword);
  await tab.waitForURL('**/token');
  await dialog.waitFor({ state: 'detached' });
  await rootRow(page).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/token');
  await tab.close();
});

test('cancelling the renewal leads to the sign-in page', async () => {
  await page.goto('/token');
  await rootRow(page).waitFor();
  await context.clearCookies();
  await readRowsAgain();
  await page.getByRole('button', { name: 'Leave this page' }).click();
  await page.waitForURL('**/login?expired=true*');
  await signIn(page, 'root', rootPassword);
  await rootRow(page).waitFor();
  expect(site.visit.problems).toEqual([]);
});

test('when another user signs in, no data of the first user stays in any tab', async () => {
  await page.goto('/token');
  await rootRow(page).waitFor();
  const admins = await context.newPage();
  await admins.goto('/user');
  await admins.locator('tr[data-row]').filter({ hasText: 'root' }).waitFor();
  const other = await context.newPage();
  await other.goto('/token');
  await other.getByRole('button', { name: 'Account: root' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.waitForURL('**/login');
  await page.waitForURL('**/login*');
  expect(await rootRow(page).count()).toBe(0);
  await signIn(other, ADA.username, ADA.password);
  await other.waitForURL('**/token');
  // The other tabs go on by themselves, as far as she may.
  for (const tab of [page, admins]) {
    await tab.getByRole('button', { name: 'Account: ada' }).waitFor();
    await tab.waitForURL(tab === page ? '**/token' : '**/user');
    expect(await tab.locator('tr[data-row]').filter({ hasText: 'root' }).count()).toBe(0);
  }
  await admins.close();
  await other.close();
});

test('without a network the page stays and says so, and continues when the network is back', async () => {
  await page.goto('/token');
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
  await context.setOffline(true);
  await page.getByText('You are offline. Nothing on this page is lost.').waitFor();
  await page.getByRole('link', { name: 'Logs' }).first().click();
  await page.getByText('Part of this page could not be loaded').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  // The page reloads by itself; until then its router may have loaded the missing part.
  const loadedAgain = page.waitForEvent('load');
  await context.setOffline(false);
  await loadedAgain;
  await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor();
});

test('a network that is lost before all code was loaded leaves the page there, and the rest comes when it is back', async () => {
  // Nothing is cached yet.
  const { page: fresh, close } = await site.open({ isOwn: true });
  await fresh.goto('/token');
  await settled(fresh);
  const create = fresh.getByRole('button', { name: 'Create token' }).first();
  // Beside the count of results, which a table says.
  const floating = fresh.locator('p.hidden-visually[role=status]:empty');
  let missed = 0;
  fresh.on('requestfailed', (request) => (missed += request.url().endsWith('.js') ? 1 : 0));
  await fresh.context().setOffline(true);
  // A slow machine may have loaded it by now.
  await expect.poll(async () => missed + (await floating.count())).toBeGreaterThan(0);
  expect(await create.isVisible()).toBe(true);
  expect(await fresh.getByText('Part of this page could not be loaded').count()).toBe(0);
  await fresh.context().setOffline(false);
  await floating.waitFor({ state: 'attached' });
  await create.click();
  await fresh.locator('.drawer').waitFor();
  await close();
});

test('a dialog whose code cannot be loaded says so and leaves the page as it is; it opens when the network is back', async () => {
  await page.goto('/setting?tab=personal');
  const opener = page.getByRole('button', { name: 'Change password' });
  await opener.waitFor();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await opener.click();
  await page.getByText('Part of this page could not be loaded').waitFor();
  expect(await opener.isVisible()).toBe(true);
  await context.setOffline(false);
  await opener.click();
  await page.getByLabel('Current password').waitFor();
});
