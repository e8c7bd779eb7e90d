import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { accessibilityProblems } from '../support/console-visit.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** The prices of models in a real browser: the list that admins edit. */

let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  site = await startConsole();
  ({ page } = site);
  await site.operator.call('/api/channel', {
    method: 'POST',
    body: {
      type: 1,
      name: 'any',
      key: 'sk-any',
      models: 'gpt-4o,gpt-4o-mini,my-own-model',
      group: 'default',
    },
  });
});
afterAll(async () => {
  await site.stop();
});

const options = z.array(z.object({ key: z.string(), value: z.string() }));
const saved = async (key: string): Promise<unknown> => {
  const rows = options.parse(await site.operator.call('/api/option/'));
  return JSON.parse(rows.find((row) => row.key === key)?.value ?? 'null');
};
const row = (model: string) => page.locator('tr[data-row]').filter({ hasText: model }).first();
const cells = (model: string) => row(model).locator('td.table-end').allTextContents();
const toast = (text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();

test('a model without a price comes first and gets one in dollars, or in ratios', async () => {
  await page.goto('/prices');
  const first = page.locator('tr[data-row]').first();
  await first.filter({ hasText: 'my-own-model' }).filter({ hasText: 'No price' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  const drawer = page.getByRole('dialog', { name: 'my-own-model' });
  await drawer.getByRole('textbox', { name: 'Output' }).fill('4');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('A price is needed here').waitFor();
  await drawer.getByRole('textbox', { name: 'Input' }).fill('1');
  await drawer.getByRole('radio', { name: 'Ratios' }).check({ force: true });
  expect(await drawer.getByRole('textbox', { name: 'Completion ratio' }).inputValue()).toBe('4');
  await drawer.getByText('That is $1.00 in and $4.00 out').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await toast('Price of my-own-model saved');
  await row('my-own-model').filter({ hasText: 'Own' }).waitFor();
  expect(await saved('ModelRatio')).toEqual({ 'my-own-model': 0.5 });
  expect(await saved('CompletionRatio')).toEqual({ 'my-own-model': 4 });
});

test('many prices are multiplied: what each becomes is seen first, and they can be as before', async () => {
  await page.goto('/prices?q=gpt-4o&sort=input');
  await expect.poll(() => cells('gpt-4o-mini')).toEqual(['$0.15', '$0.60', '$0.075', '—']);
  await page.getByRole('button', { name: 'Multiply' }).click();
  const dialog = page.getByRole('dialog', { name: 'Multiply prices' });
  await dialog.getByRole('spinbutton', { name: 'Factor' }).fill('2');
  await dialog.getByRole('cell', { name: '$0.15 → $0.30' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Change 2 prices' }).click();
  await expect.poll(() => cells('gpt-4o-mini')).toEqual(['$0.30$0.15', '$1.20$0.60', '$0.15$0.075', '—']);
  expect(await saved('ModelRatio')).toEqual({ 'my-own-model': 0.5, 'gpt-4o': 2.5, 'gpt-4o-mini': 0.15 });
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => cells('gpt-4o-mini')).toEqual(['$0.15', '$0.60', '$0.075', '—']);
  expect(await saved('ModelRatio')).toEqual({ 'my-own-model': 0.5 });
});

test('the list is found, sorted on the server, and has no findings of axe', async () => {
  await page.goto('/prices');
  await row('gpt-4o').waitFor();
  await page.getByRole('button', { name: 'Input' }).click();
  await expect.poll(() => page.locator('tr[data-row]').first().textContent()).toContain('gpt-4o');
  expect(new URL(page.url()).searchParams.get('sort')).toBe('-input');
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(site.visit.problems).toEqual([]);
});
