import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { sharedBrowser } from '../support/chromium.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { scrolledSideways } from '../support/sideways.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** From the setup link to the first answer, using only what the console shows. */

/** Every click and field of the first minutes: adding one here makes the start longer for users. */
const MOST_ACTIONS = 15;

let simulator: RunningSimulator;
let tollgate: Tollgate;
let page: Page;
const problems: string[] = [];
let actions = 0;

beforeAll(async () => {
  [simulator, tollgate] = await Promise.all([startSimulator(), startTollgate()]);
  const browser = await sharedBrowser();
  const context = await browser.newContext({ baseURL: tollgate.url, locale: 'en-US' });
  page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
});

afterAll(async () => {
  await page.context().close();
  await tollgate.stop();
  await simulator.stop();
});

const click = async (name: string, role: 'button' | 'link' = 'button'): Promise<void> => {
  actions += 1;
  await page.getByRole(role, { name, exact: true }).last().click();
};
const fill = async (name: string, text: string): Promise<void> => {
  actions += 1;
  await page.getByRole('textbox', { name, exact: true }).fill(text);
};
const list = () => page.getByRole('region', { name: 'Get started' });
const step = async (name: string): Promise<void> => {
  actions += 1;
  await list().getByRole('link', { name, exact: true }).click();
};

test('setup signs in, and the console shows what comes next', async () => {
  await page.goto(`/setup?secret=${tollgate.setupSecret}`);
  await fill('Admin username', 'root');
  actions += 2;
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByLabel('Confirm password').fill('correct horse');
  actions += 1;
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/detail');
  await list().getByText('0 of 4 done').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await scrolledSideways(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('each step leads to the next, and the last one is an answer', async () => {
  await step('Add a channel');
  await fill('Name', 'first');
  await fill('Key', 'sk-simulated');
  await fill('Base URL', simulator.url);
  await fill('Custom model names', 'gpt-4o-mini,gpt-4o,claude-fable-5,claude-haiku-4-5');
  await click('Add');
  await click('Create');
  await list().getByText('2 of 4 done').waitFor();

  await step('Create a token');
  // The first token already has a name.
  await click('Create');
  const made = page.getByRole('dialog', { name: 'Token created' });
  await made.getByText('My first token').waitFor();
  await list().getByText('3 of 4 done').waitFor();

  await click('Set up a program', 'link');
  const text = page.locator('.connect-text pre').first();
  await expect.poll(() => text.textContent()).toContain('ANTHROPIC_MODEL="claude-haiku-4-5"');
  expect(await text.textContent()).toContain('ANTHROPIC_DEFAULT_FABLE_MODEL="claude-fable-5"');
  await click('Test it');
  await page
    .locator('.connect-result')
    .getByText(/^It works/)
    .waitFor();
  expect(actions).toBeLessThanOrEqual(MOST_ACTIONS);
});

test('the list of first steps shows that all is done, and does not return once it is closed', async () => {
  await page.getByText('All set').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await list().getByRole('button', { name: 'Close' }).click();
  await list().waitFor({ state: 'detached' });
  await page.goto('/token');
  await page.getByRole('heading', { name: 'Tokens' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await list().count()).toBe(0);
  expect(problems).toEqual([]);
});
