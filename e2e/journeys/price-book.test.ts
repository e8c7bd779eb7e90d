import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settled } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** Changes of prices in a real browser: a draft, its preview, the published version, and restoring an old one. */

let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  site = await startConsole({ isOwn: true });
  ({ page } = site);
  // Its upstream is this gateway itself, which tells its prices as others of this family do.
  const channel = { type: 1, name: 'any', key: 'sk-any', models: 'my-own-model', base_url: site.url };
  await site.operator.call('/api/channel', { method: 'POST', body: channel });
  const option = { key: 'ModelPrice', value: '{"my-own-model": 0.5}' };
  await site.operator.call('/api/option/', { method: 'PUT', body: option });
});
afterAll(async () => {
  await site.stop();
});

const prices = async (): Promise<unknown> => {
  const rows = (await site.operator.call('/api/option/')) as { key: string; value: string }[];
  return JSON.parse(rows.find(({ key }) => key === 'ModelPrice')?.value ?? 'null');
};
const toast = (text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();
const version = (name: string) => page.locator('tr[data-row]').filter({ hasText: name }).first();

test('a draft shows its differences and a preview on past calls, and is published with a reason', async () => {
  await page.goto('/price-book');
  await version('Saved in the settings').waitFor();
  await page.getByRole('button', { name: 'New draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change of prices' });
  await dialog.getByText('Nothing is changed yet').waitFor();
  // An empty draft that is closed leaves nothing behind.
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => site.operator.call('/api/price_book/draft')).toEqual([]);
  await page.getByRole('button', { name: 'New draft' }).click();
  await dialog.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'Price per call' }).click();
  await dialog.getByRole('combobox', { name: 'Model' }).fill('my-own-model');
  await dialog.getByText('Now: 0.5').waitFor();
  const value = dialog.getByRole('spinbutton', { name: 'New value' });
  await value.fill('-1');
  await dialog.getByText('Must not be below 0').waitFor();
  await value.fill('0.6');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByRole('cell', { name: '+20.0%' }).waitFor();
  await dialog.getByRole('cell', { name: '$0.60' }).waitFor();
  await dialog.getByRole('button', { name: 'Run' }).click();
  await dialog.getByRole('cell', { name: 'Charged' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await prices()).toEqual({ 'my-own-model': 0.5 });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('dearer at the maker');
  await dialog.getByRole('button', { name: 'Publish now' }).click();
  await toast('Published');
  expect(await prices()).toEqual({ 'my-own-model': 0.6 });
  await version('dearer at the maker').waitFor();
});

test('what is entered in a draft, and where, stays while changes are added, and its reason stays when it is closed', async () => {
  await page.goto('/price-book');
  await page.getByRole('button', { name: 'New draft' }).click();
  const dialog = page.getByRole('dialog', { name: /^Change of prices/ });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('for the summer');
  await dialog.getByLabel('When').fill('2031-06-01T00:00');
  await dialog.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'Price per call' }).click();
  const name = dialog.getByRole('combobox', { name: 'Model' });
  await name.fill('my-own-model');
  await dialog.getByRole('spinbutton', { name: 'New value' }).fill('0.4');
  // Its code loads late.
  await page.route(/[.]js$/, () => undefined);
  await dialog.getByRole('spinbutton', { name: 'New value' }).press('Enter');
  await dialog.getByRole('cell', { name: 'my-own-model' }).first().waitFor();
  // A list that moves under the pressed mouse loses the choice.
  const place = await name.boundingBox();
  await page.unroute(/[.]js$/);
  await dialog.getByRole('button', { name: 'Run' }).waitFor();
  await settled(page);
  expect(await name.boundingBox()).toEqual(place);
  await expect.poll(() => dialog.getByLabel('When').inputValue()).toBe('2031-06-01T00:00');
  await expect
    .poll(() => dialog.getByRole('combobox', { name: 'Field' }).inputValue())
    .toBe('Price per call');
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('for the autumn');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /for the autumn/ }).click();
  await expect
    .poll(() => dialog.getByRole('textbox', { name: 'Reason' }).inputValue())
    .toBe('for the autumn');
  await page.keyboard.press('Escape');
});

test('an old version is viewed and restored', async () => {
  await page.goto('/price-book');
  await version('Saved in the settings').getByRole('button').first().click();
  const dialog = page.getByRole('dialog', { name: /^Version/ });
  await dialog.getByRole('cell', { name: 'my-own-model' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  // It is a step of the history, and stays when the page is loaded again.
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await page.goForward();
  await page.reload();
  await dialog.getByText('Saved in the settings').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // Back does not open what was closed.
  await page.goBack();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  // Whoever opens the change that is in force is led to the version before it.
  await page.locator('tr[data-row]').first().getByRole('button').first().click();
  await dialog.getByRole('link', { name: /bring back version/ }).click();
  await dialog.getByRole('textbox', { name: 'Reason' }).waitFor();
  await page.keyboard.press('Escape');
  await version('Saved in the settings').getByRole('button').first().click();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('a mistake');
  await dialog.getByRole('button', { name: 'Bring back' }).click();
  await page
    .getByRole('dialog', { name: /^Bring back version/ })
    .getByRole('button', { name: 'Bring back' })
    .click();
  await toast('Published');
  expect(await prices()).toEqual({ 'my-own-model': 0.5 });
  await version('a mistake').waitFor();
});

test('the cost of a channel is entered with an example, or read from its upstream, and saved in its settings', async () => {
  await page.goto('/channel');
  await page
    .locator('tr[data-row]')
    .filter({ hasText: 'any' })
    .first()
    .getByRole('button', { name: /^Edit/ })
    .click();
  const drawer = page.getByRole('dialog').first();
  await drawer.getByRole('button', { name: /^Costs/ }).click();
  await drawer.getByRole('textbox', { name: 'Currency' }).fill('cny');
  await drawer.getByRole('button', { name: 'Add a model' }).click();
  await drawer.getByRole('textbox', { name: /^Model, as the upstream/ }).fill('my-own-model');
  await drawer.getByRole('spinbutton', { name: 'Input / M' }).fill('2');
  await drawer.getByRole('spinbutton', { name: 'Output / M' }).fill('8');
  await drawer.getByText('cost you 0.216 CNY').waitFor();
  await drawer.getByRole('button', { name: /^More prices/ }).click();
  await drawer.getByRole('spinbutton', { name: 'Cached audio' }).fill('0.3');
  await drawer.getByRole('button', { name: 'Read prices from the upstream' }).click();
  const asked = page.getByRole('dialog', { name: 'Prices at the upstream' });
  await asked.getByText('2 in · 8 out · Cached audio 0.3').waitFor();
  await asked.getByRole('spinbutton', { name: 'CNY you pay for a dollar there' }).fill('7');
  await asked.getByText('3.5 a call').waitFor();
  // A price that changes that much is taken over only by who ticks it.
  const take = asked.getByRole('button', { name: /^Take over/ });
  expect(await take.isDisabled()).toBe(true);
  await asked.getByRole('checkbox', { name: 'my-own-model' }).check();
  expect(await accessibilityProblems(page)).toEqual([]);
  await take.click();
  await drawer.getByText('A call costs you 3.5 CNY.').waitFor();
  await drawer.getByRole('button', { name: 'Add a price of a tool' }).click();
  await drawer.getByRole('spinbutton', { name: 'Per thousand calls' }).fill('8');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await toast('Channel saved');
  const { items } = (await site.operator.call('/api/channel')) as { items: { setting: string }[] };
  expect(JSON.parse(items[0]?.setting ?? '')).toEqual({
    cost: { currency: 'CNY', models: { 'my-own-model': { call: 3.5 } }, tools: { web_search: 8 } },
  });
});

test('rules and special ratios are set in fields, and a group in use is removed only after it was said by whom', async () => {
  await site.operator.call('/api/option/', {
    method: 'PUT',
    body: { key: 'GroupRatio', value: '{"default":1,"staff":1}' },
  });
  const channel = { type: 1, name: 'staff only', key: 'sk-any', models: 'my-own-model', group: 'staff' };
  await site.operator.call('/api/channel', { method: 'POST', body: channel });
  await page.goto('/price-book');
  await page.getByRole('button', { name: 'New draft' }).click();
  const dialog = page.getByRole('dialog', { name: /^Change of prices/ });
  const choose = async (field: string) => {
    await dialog.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: field, exact: true }).click();
  };
  const add = dialog.getByRole('button', { name: 'Add', exact: true });
  await choose('Steps, tiers, hours');
  await dialog.getByRole('combobox', { name: 'Model' }).fill('my-own-model');
  await dialog.getByRole('button', { name: 'Add: Service tiers' }).click();
  await dialog.getByRole('textbox', { name: 'Tier' }).fill('flex');
  await dialog.getByRole('spinbutton', { name: 'All', exact: true }).fill('0.5');
  await add.click();
  await dialog.getByText('Tier flex: ×0.5').waitFor();

  await choose('Special group ratio');
  await dialog.getByRole('combobox', { name: 'Group of the users' }).fill('staff');
  await dialog.getByRole('button', { name: 'Add: Ratios' }).click();
  await dialog.getByRole('textbox', { name: 'Group' }).fill('default');
  await dialog.getByRole('spinbutton', { name: 'Ratio' }).fill('0.25');
  expect(await accessibilityProblems(page)).toEqual([]);
  await add.click();
  await dialog.getByText('default ×0.25').waitFor();

  await choose('Group ratio');
  await dialog.getByRole('combobox', { name: 'Group' }).fill('staff');
  await dialog.getByRole('radio', { name: 'Remove' }).check({ force: true });
  await add.click();
  await dialog.getByRole('cell', { name: 'removed' }).waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('fewer groups');
  await dialog.getByRole('button', { name: 'Publish now' }).click();
  const question = page.getByRole('dialog', { name: 'Remove groups that are in use?' });
  await question.getByRole('cell', { name: 'staff' }).waitFor();
  await question.getByRole('button', { name: 'Keep the groups' }).click();
  await question.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Publish now' }).click();
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await toast('Published');
  await version('fewer groups').waitFor();
});
