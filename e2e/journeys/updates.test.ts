import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** Pages whose files are gone, because the console was updated in the meantime. */

const FILES = '**/assets/**';

let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  site = await startConsole();
  page = site.page;
});
afterAll(async () => {
  await site.stop();
});

const forgetReloads = (): Promise<void> => page.evaluate(() => sessionStorage.removeItem('reloaded-at'));

test('a page whose scripts cannot be loaded is loaded once more, then says so and offers to reload', async () => {
  let loads = 0;
  page.on('request', (request) => {
    if (request.resourceType() === 'document') loads += 1;
  });
  await page.route(FILES, (route) => route.fulfill({ status: 404 }));
  await page.goto('/token');
  await page.getByText('This page did not load completely.').waitFor();
  expect(loads).toBe(2);
  await page.unroute(FILES);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Tokens' }).waitFor();
});

test('a form keeps what was typed when parts of it are gone, offers to reload, and can be saved', async () => {
  await page.goto('/channel?edit=new');
  const form = page.locator('.drawer');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('a draft');
  await form.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-any');
  await form.getByRole('textbox', { name: 'Custom model names' }).fill('gpt-4o');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await forgetReloads();
  await page.route(FILES, (route) => route.fulfill({ status: 404 }));
  await form.getByRole('button', { name: /^Advanced/ }).click();
  await page.getByText('The console has been updated.').waitFor();
  // What is gone has nothing in its place.
  await form.getByText('What you typed is still here').waitFor();
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await expect
    .poll(() => site.operator.call('/api/channel'))
    .toMatchObject({ items: [{ name: 'a draft', models: 'gpt-4o' }] });
  await page.unroute(FILES);
});
