import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { moveTo, settled } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, makeToken, setOption } from '../support/operator.ts';
import { scrolledSideways } from '../support/sideways.ts';

/** The page that helps to set up client programs, for a user without tokens. */

const SMALL = 'gpt-4o-mini';
const BROKEN = 'fault-status-500';

let simulator: RunningSimulator;
let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole();
  ({ page } = site);
  await setOption(site.operator, 'ModelRatio', { [SMALL]: 0.075, 'gpt-4o': 1, [BROKEN]: 1 });
  await makeChannel(site.operator, {
    name: 'one',
    baseUrl: simulator.url,
    models: [SMALL, 'gpt-4o', BROKEN],
  });
});

afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const pick = async (field: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const code = () => page.locator('.connect-text pre').first();

test('without a token the page leads to creating one', async () => {
  await page.goto('/connect');
  await page.getByText('You have no enabled token yet').waitFor();
  await page.getByRole('link', { name: 'Create a token' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/token');
});

test('only models that the token may use are offered, and each choice appears in the instructions at once', async () => {
  const limited = { model_limits_enabled: true, model_limits: 'gpt-4o' };
  await makeToken(site.operator, { name: 'limited', unlimited_quota: true, ...limited });
  await makeToken(site.operator, { name: 'free', unlimited_quota: true });
  await page.goto('/connect?client=claude-code');
  await pick('Token', 'limited');
  await expect.poll(() => code().textContent()).toContain('ANTHROPIC_MODEL="gpt-4o"');
  await page.getByRole('combobox', { name: 'Model' }).click();
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['gpt-4o']);
  await page.keyboard.press('Escape');
  await pick('Token', 'free');
  await expect.poll(() => code().textContent()).toContain(`ANTHROPIC_MODEL="${SMALL}"`);
  await page.getByRole('radio', { name: 'Windows' }).check();
  await expect.poll(() => code().textContent()).toContain('$env:ANTHROPIC_BASE_URL = "http://');
  await page.getByText('Or permanently: ~/.claude/settings.json').click();
  await page.locator('.connect-other pre').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('a failed test shows the error that the program would get, and links to the log', async () => {
  await pick('Model', BROKEN);
  await page.getByRole('button', { name: 'Test it' }).click();
  const result = page.locator('.connect-result');
  await result.getByText(/^5\d\d · /).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await result.getByRole('link', { name: 'Show in the logs' }).click();
  await page.locator('tr[data-row]').filter({ hasText: BROKEN }).waitFor();
});

test('on a phone the programs are a list, and nothing needs horizontal scrolling', async () => {
  const phone = await site.open({ language: 'zh', theme: 'dark', isPhone: true });
  for (const id of ['zed', 'cursor', 'openai-python', 'cherry-studio']) {
    await moveTo(phone.page, `/connect?client=${id}`);
    await settled(phone.page);
    await phone.page.locator('.connect-text').first().waitFor();
    expect(await scrolledSideways(phone.page), id).toEqual([]);
  }
  expect(await accessibilityProblems(phone.page)).toEqual([]);
  expect(phone.problems).toEqual([]);
  await phone.close();
});

test('the page reported no errors in any of these tests', () => {
  expect(site.visit.problems).toEqual([]);
});
