import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { accessibilityProblems } from '../support/console-visit.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** The prices of models in a real browser: the list that admins edit, and the page that everybody sees. */

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
      group: 'default,vip,svip',
    },
  });
  for (const [key, value] of [
    ['GroupRatio', '{"default": 1, "vip": 0.5, "svip": 0.1}'],
    ['UserUsableGroups', '{"default": "Default", "vip": "VIP"}'],
  ])
    await site.operator.call('/api/option/', { method: 'PUT', body: { key, value } });
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
/** The horizontal positions of the decimal points in a column. */
const pointsOf = (column: number): Promise<number[]> =>
  page.locator('tr[data-row]').evaluateAll(
    (rows, at) =>
      rows.flatMap((row) => {
        const text = row.querySelectorAll('td.table-end')[at]?.querySelector('.amount')?.firstChild;
        if (!(text instanceof Text)) return [];
        const point = document.createRange();
        point.setStart(text, text.data.indexOf('.'));
        point.setEnd(text, text.data.indexOf('.') + 1);
        return [Math.round(point.getBoundingClientRect().left)];
      }),
    column,
  );
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
  await drawer.getByRole('radio', { name: 'Ratios' }).check();
  await expect.poll(() => drawer.getByRole('textbox', { name: 'Completion ratio' }).inputValue()).toBe('4');
  await drawer.getByText('That is $1.00 in and $4.00 out').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await toast('Price of my-own-model saved');
  await row('my-own-model').filter({ hasText: 'Own' }).waitFor();
  expect(await saved('ModelRatio')).toEqual({ 'my-own-model': 0.5 });
  expect(await saved('CompletionRatio')).toEqual({ 'my-own-model': 4 });
});

test('many prices are multiplied after a preview, and the change can be undone', async () => {
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

test('the decimal points of prices are aligned, however many decimals they have', async () => {
  await page.goto('/prices?q=gpt-4o&sort=input');
  await expect.poll(() => cells('gpt-4o-mini')).toEqual(['$0.15', '$0.60', '$0.075', '—']);
  const points = await pointsOf(2);
  expect([points.length, new Set(points).size]).toEqual([2, 1]);
});

test('the list is found, sorted on the server, and has no findings of axe', async () => {
  await page.goto('/prices');
  await row('gpt-4o').waitFor();
  await page.getByRole('button', { name: 'Input' }).click();
  await expect.poll(() => page.locator('tr[data-row]').first().textContent()).toContain('gpt-4o');
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-input');
  // The old rows are dimmed until the sorted ones have loaded.
  await expect.poll(() => page.locator('.table-old').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(site.visit.problems).toEqual([]);
});

const priceRows = (on: Page) => on.locator('.plain-table tbody tr');

test('the price page has a table that sorts, filters that narrow, and cards', async () => {
  await page.goto('/pricing');
  // Signed-in users stay in the console.
  await page.locator('.side').waitFor();
  await page.getByRole('button', { name: 'Completion' }).click();
  await expect.poll(() => priceRows(page).first().textContent()).toContain('gpt-4o-mini');
  await page.getByRole('button', { name: 'Completion' }).click();
  await expect.poll(() => priceRows(page).first().textContent()).toContain('gpt-4o');
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-output');
  await page.getByRole('radio', { name: 'vip ×0.5' }).check();
  await priceRows(page).filter({ hasText: '$0.075' }).first().waitFor();
  await page.getByRole('button', { name: 'OpenAI 2' }).click();
  await expect.poll(() => priceRows(page).count()).toBe(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cards' }).click();
  await expect.poll(() => page.locator('.price-card').count()).toBe(2);
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('input');
  await expect.poll(() => page.locator('.price-card').first().textContent()).toContain('gpt-4o-mini');
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the details of a model show prices of every usable group, other prices, a call to copy, and a link to the playground', async () => {
  // The price history may load late and must not move what is about to be clicked.
  const past = Promise.withResolvers<void>();
  await page.route(/\/api\/pricing\/history/, async (route) => {
    await past.promise;
    await route.continue();
  });
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'gpt-4o-mini', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'gpt-4o-mini' });
  const groups = panel.getByRole('table', { name: /^Price by group/ }).locator('tbody tr');
  await expect
    .poll(() => groups.allTextContents())
    .toEqual(['default ×1$0.15$0.60$0.075', 'vip ×0.5$0.075$0.30$0.0375']);
  await panel.getByRole('row', { name: /Service tier: flex \$0\.075/ }).waitFor();
  const python = panel.getByRole('radio', { name: 'Python' });
  const place = await python.boundingBox();
  past.resolve();
  await panel.getByRole('table', { name: 'Price history' }).waitFor();
  expect(await python.boundingBox()).toEqual(place);
  await python.check();
  await panel.getByText('client.chat.completions.create(').waitFor();
  await panel.getByRole('button', { name: 'Copy the example' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('model="gpt-4o-mini"');
  expect(await accessibilityProblems(page)).toEqual([]);
  await panel.getByRole('link', { name: 'Try in playground' }).click();
  await page.waitForURL(/playground/);
  await page.getByText('gpt-4o-mini').first().waitFor();
  expect(site.visit.problems).toEqual([]);
});

test('visitors see the price page outside the console, and only groups open to them', async () => {
  const { page: visitor, close } = await site.openForStranger();
  try {
    await visitor.goto('/pricing?model=gpt-4o');
    const panel = visitor.getByRole('dialog', { name: 'gpt-4o' });
    await panel.getByRole('link', { name: 'Sign in to try it' }).waitFor();
    const text = await visitor.locator('body').textContent();
    expect(text).toContain('vip ×0.5');
    expect(text).not.toContain('svip');
    expect(await visitor.locator('.side').count()).toBe(0);
    await panel.getByRole('link', { name: 'Sign in to try it' }).click();
    await visitor.waitForURL(/login\?redirect=%2Fplayground%3Fmodel%3Dgpt-4o/);
  } finally {
    await close();
  }
});
