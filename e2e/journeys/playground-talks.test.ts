import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, setOption } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { savedItems } from '../support/saved-items.ts';

/** Several conversations on one device, and several models in one conversation. */

const CHEAP = 'gpt-4o-mini';
const DEAR = 'gpt-4o';

let simulator: RunningSimulator;
let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 200 });
  site = await startConsole();
  ({ page } = site);
  await setOption(site.operator, 'ModelRatio', { [CHEAP]: 0.075, [DEAR]: 1.25 });
  await setOption(site.operator, 'CompletionRatio', { [CHEAP]: 4, [DEAR]: 4 });
  await makeChannel(site.operator, { name: 'simulator', baseUrl: simulator.url, models: [CHEAP, DEAR] });
  await page.goto('/playground');
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const composer = (): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
/** Sends a message and waits until the new reply has begun. */
const ask = async (text: string): Promise<void> => {
  await composer().fill(text);
  await composer().press('Enter');
  await expect.poll(() => composer().inputValue()).toBe('');
};
const lanes = (): Locator => page.locator('.pg-lane');
const lastReply = (lane: Locator): Locator => lane.locator('.messages > :last-child[data-status=complete]');

test('several conversations are stored, found by their text, and a deleted one can be restored', async () => {
  await ask('What does a token cost?');
  await lastReply(page.locator('.pg-lane')).waitFor();
  await page.getByRole('button', { name: 'Conversation', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New conversation' }).click();
  await expect.poll(() => page.locator('.said-text').allTextContents()).toEqual(['Hello']);
  await ask('Plan a trip');
  await lastReply(page.locator('.pg-lane')).waitFor();
  await expect.poll(() => savedItems(page)).toBeDefined();
  await page.reload();
  await expect.poll(() => page.locator('.said-text').allTextContents()).toEqual(['Hello', 'Plan a trip']);

  await page.getByRole('button', { name: 'Conversations' }).click();
  const list = page.getByRole('dialog', { name: 'Conversations' });
  await list.getByRole('button', { name: /^What does a token cost/ }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await list.getByRole('searchbox').fill('weekend three');
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await list.getByRole('searchbox').fill('');
  await list.getByRole('button', { name: 'Delete “What does a token cost?”' }).click();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await page.locator('.toaster').getByRole('button', { name: 'Undo' }).click();
  await list.getByRole('button', { name: /^What does a token cost/ }).click();
  await expect
    .poll(() => page.locator('.said-text').allTextContents())
    .toEqual(['Hello', 'What does a token cost?']);
});

test('an open conversation goes on answering when it is chosen again, and stays deleted when it is deleted', async () => {
  const answers = '**/pg/chat/completions';
  // It is never answered.
  await page.route(answers, () => undefined);
  await ask('Name a river');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Conversations' }).click();
  const list = page.getByRole('dialog', { name: 'Conversations' });
  await list.getByRole('button', { name: /^What does a token cost/ }).click();
  await list.waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(1);

  await page.getByRole('button', { name: 'Conversations' }).click();
  await list.getByRole('button', { name: 'Delete “What does a token cost?”' }).click();
  await expect.poll(() => page.locator('.said-text').allTextContents()).toEqual(['Hello']);
  await page.getByRole('button', { name: 'Conversations' }).click();
  await list.getByRole('listitem').first().waitFor();
  expect(await list.getByRole('listitem').allTextContents()).toEqual([expect.stringMatching(/^Plan a trip/)]);
  await page.keyboard.press('Escape');
  await page.unroute(answers);
});

test('what two tabs write in one conversation overwrites neither', async () => {
  const other = await page.context().newPage();
  await other.goto('/playground');
  await other.getByText('Plan a trip').waitFor();
  const said = (of: Page) => of.locator('.said-text').allTextContents();
  await page.getByRole('button', { name: 'Conversations' }).click();
  const list = page.getByRole('dialog', { name: 'Conversations' });
  await list.getByRole('button', { name: /^Plan a trip/ }).click();
  await expect.poll(() => said(page)).toEqual(['Hello', 'Plan a trip']);

  await other.getByRole('textbox', { name: 'Message', exact: true }).fill('By train');
  await other.keyboard.press('Enter');
  await lastReply(other.locator('.pg-lane')).getByText('tok/s').waitFor();
  await ask('By ship');
  await page.locator('.toaster').getByText('Another tab has continued this conversation').waitFor();
  await other.close();
  await page.reload();
  await expect.poll(() => said(page)).toEqual(['Hello', 'Plan a trip', 'By ship']);
  await page.getByRole('button', { name: 'Conversations' }).click();
  await list.getByRole('searchbox').fill('train');
  await list.getByRole('button', { name: /^Plan a trip/ }).click();
  await expect.poll(() => said(page)).toEqual(['Hello', 'Plan a trip', 'By train']);
});

test('the model picker shows the price and context window of each model', async () => {
  await page.getByRole('combobox', { name: 'Model', exact: true }).click();
  const option = page.getByRole('option', { name: new RegExp(`^${DEAR} ?\\$2.50 → \\$10.00`) });
  await option.waitFor();
  await page.keyboard.press('Escape');
  const hint = page.getByText('$0.15 in · $0.60 out per 1M tokens');
  await expect.poll(() => hint.count()).toBe(1);
});

test('two models answer side by side, each at its own price, and the cheaper one is marked', async () => {
  await page.getByRole('button', { name: 'Compare with another model' }).click();
  await expect.poll(() => lanes().count()).toBe(2);
  expect(await page.getByRole('combobox', { name: 'Model 2' }).inputValue()).toBe(DEAR);
  await ask('Plan a trip');
  for (const [at, model] of [CHEAP, DEAR].entries()) {
    const reply = lastReply(lanes().nth(at));
    await reply.locator('.reply-cost').waitFor();
    await expect.poll(() => reply.getAttribute('aria-label')).toBe(model);
    await expect.poll(() => reply.textContent()).toContain('weekend in three steps');
  }
  await lanes().nth(0).getByText('cheapest').waitFor();
  expect(await lanes().nth(1).getByText('cheapest').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.reload();
  await expect.poll(() => lanes().count()).toBe(2);
  await lanes()
    .nth(1)
    .getByRole('button', { name: `Remove ${DEAR}` })
    .click();
  await expect.poll(() => lanes().count()).toBe(1);
});

test('a link chooses the model', async () => {
  await page.goto(`/playground?model=${DEAR}`);
  await expect.poll(() => page.getByRole('combobox', { name: 'Model', exact: true }).inputValue()).toBe(DEAR);
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('a message waits until the list of models has loaded, and goes to the model in the link', async () => {
  const known = Promise.withResolvers<void>();
  const lists = /\/api\/user\/(models|self\/groups)$/;
  await page.route(lists, async (route) => {
    await known.promise;
    await route.continue();
  });
  await page.goto(`/playground?model=${DEAR}`);
  const sent = page.waitForRequest((one) => one.url().endsWith('/pg/chat/completions'));
  await composer().fill('Plan a trip');
  await composer().press('Enter');
  await page.locator('.composer-send[aria-busy=true]').waitFor();
  await expect.poll(() => composer().inputValue()).toBe('Plan a trip');
  known.resolve();
  expect((await sent).postDataJSON()).toMatchObject({ model: DEAR, group: 'default' });
  await expect.poll(() => composer().inputValue()).toBe('');
  await page.unroute(lists);
});
