import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedBrowser } from '../support/chromium.ts';
import { accessibilityProblems, visitConsole } from '../support/console-visit.ts';
import { rootPassword, setUp } from '../support/operator.ts';
import { shortLived, startTollgate, type Tollgate } from '../support/tollgate.ts';

/** Passkeys in a real browser, with a virtual authenticator that verifies its user. */

let tollgate: Tollgate;
let browser: Browser;
/** Browsers create no passkeys for IP addresses. */
let url = '';

beforeAll(async () => {
  tollgate = await startTollgate({ nodeFlags: shortLived });
  await setUp(tollgate);
  url = tollgate.url.replace('127.0.0.1', 'localhost');
  browser = await sharedBrowser();
});
afterAll(async () => {
  await tollgate.stop();
});

/** Adds a virtual authenticator with a fingerprint reader to the page's browser. */
const plugIn = async (page: Page) => {
  const debug = await page.context().newCDPSession(page);
  await debug.send('WebAuthn.enable');
  const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether user verification succeeds. */
    recognise: (isUserVerified: boolean) =>
      debug.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** Whether requests are approved at once. */
    touch: (enabled: boolean) =>
      debug.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
};

const panel = (page: Page, title: string) => page.getByRole('region', { name: title });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a passkey is created, named, used to sign in without a password, and removed', async () => {
  const visit = await visitConsole(browser, { url, username: 'root', password: rootPassword });
  const { page } = visit;
  const device = await plugIn(page);
  await page.goto('/setting?tab=personal');
  await panel(page, 'Passkeys').getByText('No passkeys yet').waitFor();
  await button(page, 'Add passkey').click();
  await page.getByRole('dialog').getByLabel('Name').fill('My laptop');
  await button(page, 'Continue').click();
  await panel(page, 'Passkeys').getByText('My laptop').waitFor();
  await panel(page, 'Passkeys')
    .getByText(/never used/)
    .waitFor();
  // The same authenticator again: an error says so.
  await button(page, 'Add passkey').click();
  await button(page, 'Continue').click();
  await page.getByRole('dialog').getByText('This device already has a passkey for your account').waitFor();
  await page.keyboard.press('Escape');

  await page.request.get('/api/user/logout');
  await device.touch(false);
  await page.goto('/token');
  await page.waitForURL(/\/login/);
  await device.recognise(false);
  await device.touch(true);
  await button(page, 'Sign in with a passkey').click();
  await page.getByText(/The passkey was not confirmed/).waitFor();
  await device.recognise(true);
  await button(page, 'Sign in with a passkey').click();
  await page.waitForURL((address) => address.pathname !== '/login');

  await page.goto('/setting?tab=personal');
  await panel(page, 'Passkeys')
    .getByText(/last used/)
    .waitFor();
  await button(page, 'Rename My laptop').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Desk');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await button(page, 'Remove Desk').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await panel(page, 'Passkeys').getByText('No passkeys yet').waitFor();
  await page.request.get('/api/user/logout');
  await page.goto('/login');
  await button(page, 'Sign in with a passkey').click();
  await page.getByText('this passkey is not known here').waitFor();
  expect(visit.problems).toEqual([]);
  await visit.close();
});

const addPasskey = async (page: Page): Promise<void> => {
  await page.goto('/setting?tab=personal');
  await button(page, 'Add passkey').click();
  await button(page, 'Continue').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** Ten minutes pass, so the last confirmation of identity has expired. */
const becomeStale = async (page: Page): Promise<void> => {
  const database = new DatabaseSync(join(tollgate.dataDir, 'tollgate.db'));
  database.exec('PRAGMA busy_timeout = 5000; UPDATE sessions SET fresh_until = 0');
  database.close();
  // The server does not see this at once, because it caches sessions briefly: until then, the passkey that is not there is missed.
  const removing = async (): Promise<number> =>
    (await page.request.delete('/api/user/passkeys/999', { headers: { 'New-Api-User': '1' } })).status();
  await expect.poll(removing).toBe(403);
};

test('dangerous actions are confirmed with a passkey, and fail without user verification', async () => {
  const visit = await visitConsole(browser, { url, username: 'root', password: rootPassword });
  const { page } = visit;
  const device = await plugIn(page);
  await addPasskey(page);
  await becomeStale(page);
  await button(page, 'Create access token').click();
  await page.getByRole('dialog').locator('button[type=submit]').click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await device.recognise(false);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.getByText(/The passkey was not confirmed/).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await device.recognise(true);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await page.locator('.toast').filter({ hasText: 'Access token created' }).waitFor();
  expect(visit.problems).toEqual([]);
  await visit.close();
});

test('the username field offers the passkey, and choosing it signs in', async () => {
  const visit = await visitConsole(browser, { url, username: 'root', password: rootPassword });
  const { page } = visit;
  const device = await plugIn(page);
  await addPasskey(page);
  await page.request.get('/api/user/logout');
  // No passkey is chosen, and the form stays.
  await device.touch(false);
  const asked = page.waitForResponse(/passkey\/login\/begin/);
  await page.goto('/login');
  await asked;
  await expect
    .poll(() => page.locator('input[name=username]').getAttribute('autocomplete'))
    .toBe('username webauthn');
  expect(new URL(page.url()).pathname).toBe('/login');
  // This authenticator approves requests at once.
  await device.touch(true);
  await page.goto('/login');
  await page.waitForURL((address) => address.pathname !== '/login');
  await page.goto('/setting?tab=personal');
  await panel(page, 'Passkeys')
    .getByText(/last used/)
    .first()
    .waitFor();
  expect(visit.problems).toEqual([]);
  await visit.close();
});

test.each([
  { language: 'zh', theme: 'light', isPhone: false },
  { language: 'en', theme: 'dark', isPhone: true },
] as const)('passkeys are clean in %o', async (look) => {
  const visit = await visitConsole(browser, { url, username: 'root', password: rootPassword, ...look });
  const { page } = visit;
  const device = await plugIn(page);
  await page.goto('/setting?tab=personal');
  const words =
    look.language === 'zh' ? ['通行密钥', '添加通行密钥', '继续'] : ['Passkeys', 'Add passkey', 'Continue'];
  const [title = '', add = '', go = ''] = words;
  await button(page, add).click();
  await page.getByRole('dialog').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await button(page, go).click();
  await panel(page, title).locator('.personal-row').first().waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.request.get('/api/user/logout');
  await device.touch(false);
  await page.goto('/login');
  await page.locator('.third-party').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(visit.problems).toEqual([]);
  await visit.close();
});
