import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** Pages whose files are gone, because the console was updated in the meantime. */

const FILES = '**/assets/**';
/** A word of the script of the JSON editor alone. */
const OF_EDITOR = 'cm-content';

let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  site = await startConsole({ isOwn: true });
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
  await page.route(FILES, async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes(OF_EDITOR)) await route.fulfill({ status: 404 });
    else await route.fulfill({ response });
  });
  await form.getByRole('button', { name: /^Advanced/ }).click();
  await form
    .getByRole('group', { name: 'Model mapping' })
    .getByRole('button', { name: 'Edit as JSON' })
    .click();
  // The editor is gone, the plain text area is not.
  await form.getByRole('textbox', { name: 'Model mapping' }).fill('{"gpt-4o":"gpt-4o-mini"}');
  await page.getByText('The console has been updated.').waitFor();
  await page.route(FILES, (route) => route.fulfill({ status: 404 }));
  // Nothing replaces the form of the rules; all other fields stay.
  await form.getByRole('button', { name: /^Override rules/ }).click();
  await page.getByText('Part of this page could not be loaded').waitFor();
  expect(await form.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('a draft');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await expect
    .poll(() => site.operator.call('/api/channel'))
    .toMatchObject({ items: [{ name: 'a draft', model_mapping: '{"gpt-4o":"gpt-4o-mini"}' }] });
  await page.unroute(FILES);
});
