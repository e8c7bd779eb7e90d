import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import type { Operator } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** The keys of a channel in a real browser: pasted, tested, switched, replaced, deleted. */

const FIRST = 'sk-simulated-key-one-aaaa';
const SECOND = 'sk-simulated-key-two-bbbb';
const DEAD = 'sk-revoked-key-of-old-cccc';

let simulator: RunningSimulator;
let site: ConsoleSite;
let operator: Operator;
let page: Page;
let id: number;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole({ language: 'en' });
  ({ operator, page } = site);
  await operator.call('/api/channel', {
    method: 'POST',
    body: { type: 1, name: 'pooled', key: FIRST, base_url: simulator.url, models: 'gpt-4o' },
  });
  const found = z
    .object({ items: z.array(z.object({ id: z.number() })) })
    .parse(await operator.call('/api/channel?page_size=1'));
  id = found.items[0]?.id ?? 0;
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const keys = async () =>
  z
    .object({ items: z.array(z.object({ tail: z.string(), status: z.string(), weight: z.number() })) })
    .parse(await operator.call(`/api/channel/${id}/keys`))
    .items.toReversed();
const dialog = (): Locator => page.getByRole('dialog', { name: 'Keys · pooled' });
const button = (name: string): Locator => dialog().getByRole('button', { name, exact: true });
const row = (end: string): Locator =>
  dialog()
    .getByRole('row')
    .filter({ hasText: `…${end}` });

test('a channel of one key gets more by pasting, after a look at what is new', async () => {
  await page.goto(`${site.url}/token`);
  await page.getByRole('navigation').getByRole('link', { name: 'Channels' }).click();
  await page.locator('tr[data-row]').filter({ hasText: 'pooled' }).locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: 'Keys…' }).click();
  await dialog().getByText('This channel has one key.').waitFor();
  // Back closes what covers the list, and stays on the page. The browser leaves the page before the app is told, and is sent
  // forward again, so for a moment the address is that of the page before.
  await page.goBack();
  await dialog().waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/channel');
  await page.locator('tr[data-row]').filter({ hasText: 'pooled' }).locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: 'Keys…' }).click();
  await dialog()
    .getByRole('textbox', { name: 'Add keys' })
    .fill([FIRST, `${SECOND} # bought in May`, SECOND, '# of last year:', DEAD].join('\n'));
  await button('Preview').click();
  await dialog()
    .getByText('2 new keys · 1 with a name · 1 already here · 1 repeated · 1 remark left out')
    .waitFor();
  await button('Add').click();
  await row('bbbb').getByText('bought in May').waitFor();
  expect((await keys()).map(({ tail }) => tail)).toEqual(['aaaa', 'bbbb', 'cccc']);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('each key can be tested, weighted, switched and filtered by its state', async () => {
  await operator.call('/api/option', {
    method: 'PUT',
    body: { key: 'AutomaticDisableChannelEnabled', value: 'true' },
  });
  await button('Test all').click();
  await row('cccc').getByText('Rejected').waitFor();
  await row('aaaa')
    .getByRole('textbox', { name: /^Weight/ })
    .fill('7');
  await row('aaaa')
    .getByRole('textbox', { name: /^Weight/ })
    .press('Enter');
  await row('bbbb').getByRole('switch').click();
  await expect.poll(keys).toEqual([
    { tail: 'aaaa', status: 'enabled', weight: 7 },
    { tail: 'bbbb', status: 'off', weight: 1 },
    { tail: 'cccc', status: 'revoked', weight: 1 },
  ]);
  await row('bbbb').getByText('since').waitFor();
  await dialog().getByRole('radio', { name: 'Random by weight' }).click();
  await dialog()
    .getByRole('radio', { name: /^Rejected/ })
    .click();
  await row('aaaa').waitFor({ state: 'detached' });
  await dialog().getByRole('radio', { name: /^All/ }).click();
  await row('aaaa').waitFor();
});

test('all keys that match a filter are disabled in one step, and enabled again', async () => {
  await dialog()
    .getByRole('radio', { name: /^Disabled/ })
    .click();
  await row('aaaa').waitFor({ state: 'detached' });
  await button('Enable').click();
  const ask = page.getByRole('dialog', { name: 'Enable 1 key?' });
  await ask.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('1 key enabled').waitFor();
  const bbbb = async () => (await keys()).find(({ tail }) => tail === 'bbbb')?.status;
  expect(await bbbb()).toBe('enabled');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(bbbb).toBe('off');
  await dialog().getByRole('radio', { name: /^All/ }).click();
  await row('aaaa').waitFor();
  await button('Disable').waitFor({ state: 'detached' });
});

test('a key is replaced in its row, and another is deleted', async () => {
  await row('cccc').locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: 'Edit or replace' }).click();
  await dialog().getByRole('textbox', { name: 'New key' }).fill('sk-simulated-key-new-dddd');
  await button('Save').click();
  await row('dddd').getByText('Enabled').waitFor();
  await row('bbbb').locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await row('bbbb').waitFor({ state: 'detached' });
  expect((await keys()).map(({ tail, status }) => [tail, status])).toEqual([
    ['aaaa', 'enabled'],
    ['dddd', 'enabled'],
  ]);
});

test('on a phone nothing needs horizontal scrolling', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await dialog().getByRole('listitem').filter({ hasText: '…dddd' }).waitFor();
  expect(await widerThanPlace(page)).toEqual([]);
  await button('Close').click();
});
