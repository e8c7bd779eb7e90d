import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { accessibilityProblems } from '../support/console-visit.ts';

/** The list of channels by tag: sums first, the channels of a tag once it is opened. */

let site: ConsoleSite;
let page: Page;
const asked: string[] = [];

const SEA = 45;
const UNTAGGED = 25;

beforeAll(async () => {
  site = await startConsole();
  ({ page } = site);
  const make = (name: string, tag: string, keys: number) =>
    site.operator.call('/api/channel', {
      method: 'POST',
      body: {
        type: 1,
        name,
        tag,
        key: Array.from({ length: keys }, (_, at) => `sk-${name}-${at}`).join('\n'),
        base_url: 'http://127.0.0.1:9',
        models: 'a',
        priority: 3,
      },
    });
  await make('fish', 'sea', SEA);
  await make('bird', 'sky', 2);
  await make('stray', '', UNTAGGED);
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (/^\/api\/channel(\/search)?$/.test(pathname) && request.method() === 'GET')
      asked.push(
        ['tag_sums', 'tag', 'untagged', 'page_size', 'p'].map((name) => searchParams.get(name)).join(),
      );
  });
});
afterAll(() => site.stop());

const row = (tag: string): Locator => page.locator('tr[data-row]').filter({ hasText: tag });
const children = (tag: string): Locator =>
  page.getByRole('table', { name: `Channels of tag ${tag}` }).locator('tbody tr');
const open = (tag: string): Promise<void> => row(tag).locator('.row-fold').click();
const pages = (tag: string): Locator => page.getByRole('navigation', { name: `Channels of tag ${tag}` });

test('a page of tags loads only sums, and a tag loads a page of its channels when it is opened', async () => {
  await page.goto('/channel');
  await page.getByRole('button', { name: 'Group by tag' }).click();
  await row('sea').getByText(`${SEA} of ${SEA} on`).waitFor();
  await page.getByRole('button', { name: `Untagged (${UNTAGGED})` }).waitFor();
  expect(asked.slice(1).toSorted()).toEqual([',,true,1,1', 'true,,,10,1']);
  asked.length = 0;
  await open('sea');
  await expect.poll(() => children('sea').count()).toBe(10);
  expect(asked).toEqual([',sea,,10,1']);
  await pages('sea').getByRole('button', { name: 'Page 5' }).click();
  await expect.poll(() => children('sea').count()).toBe(5);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: `Untagged (${UNTAGGED})` }).click();
  await page
    .getByRole('table', { name: `Untagged (${UNTAGGED})` })
    .getByText('stray')
    .first()
    .waitFor();
  expect(asked.at(-1)).toBe(',,true,10,1');
});

test('a change in an opened tag is shown in its sums, and the tag stays open on its page', async () => {
  const first = children('sea').first();
  await first.getByRole('switch').click();
  await row('sea')
    .getByText(`${SEA - 1} of ${SEA} on`)
    .waitFor();
  await expect.poll(() => children('sea').count()).toBe(5);
  await expect.poll(() => first.getByRole('switch').isChecked()).toBe(false);
  const weight = page.getByRole('textbox', { name: 'Weight of sea', exact: true });
  await weight.fill('7');
  await weight.press('Enter');
  await expect.poll(() => first.getByRole('textbox').last().inputValue()).toBe('7');
  await row('sea').locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: 'Disable all' }).click();
  await row('sea').getByText(`0 of ${SEA} on`).waitFor();
  await expect.poll(() => children('sea').getByRole('switch', { checked: false }).count()).toBe(5);
});

test('a tag whose channels cannot be loaded shows an error, and loads them on retry', async () => {
  const isSky = (url: URL): boolean => url.searchParams.get('tag') === 'sky';
  await page.route(isSky, (route) => route.fulfill({ status: 500, body: '' }));
  await open('sky');
  const again = page.getByRole('alert').getByRole('button', { name: 'Retry' });
  await again.waitFor();
  await page.unroute(isSky);
  await again.click();
  await expect.poll(() => children('sky').count()).toBe(2);
  await expect.poll(() => children('sea').count()).toBe(5);
});

test('a tag stays open when the first of its channels leaves it', async () => {
  const { items } = (await site.operator.call('/api/channel?tag=sea&id_sort=true&page_size=100')) as {
    items: { id: number }[];
  };
  expect(items).toHaveLength(SEA);
  const [first] = items.toSorted((one, other) => one.id - other.id);
  await site.operator.call('/api/channel', { method: 'PUT', body: { id: first?.id, tag: '' } });
  const weight = page.getByRole('textbox', { name: 'Weight of sea', exact: true });
  await weight.fill('9');
  await weight.press('Enter');
  await row('sea')
    .getByText(`0 of ${SEA - 1} on`)
    .waitFor();
  await expect.poll(() => children('sea').count()).toBe(4);
});

test('a pressed button shows no tooltip over what it changed until the pointer moves', async () => {
  const visit = await site.open({ isOwn: true });
  const tip = visit.page.locator('#tip:popover-open');
  await visit.page.clock.install();
  await visit.page.goto('/channel');
  const button = visit.page.getByRole('button', { name: 'Group by tag' });
  await button.waitFor();
  // The first move of the pointer loads the tooltip.
  await visit.page.mouse.move(1, 1);
  await visit.page.locator('#tip').waitFor({ state: 'attached' });
  await button.click();
  await visit.page.locator('tr[data-row]').filter({ hasText: 'sea' }).waitFor();
  await visit.page.clock.runFor(2_000);
  expect(await tip.allTextContents()).toEqual([]);
  await visit.page.mouse.move(0, 0);
  await button.hover();
  await visit.page.clock.runFor(2_000);
  await expect.poll(() => tip.textContent()).toBe('Group by tag');
  await visit.close();
});
